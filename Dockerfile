# docker build -t starset . && docker run --rm -v "$PWD:/work" starset states model.pnml
FROM rust:1-alpine AS build
RUN apk add --no-cache musl-dev
WORKDIR /src
COPY . .
RUN cargo build --release --locked

FROM scratch
COPY --from=build /src/target/release/starset /starset
COPY --from=build /src/models /models
WORKDIR /work
ENTRYPOINT ["/starset"]
