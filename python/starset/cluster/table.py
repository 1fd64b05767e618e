"""Results as a table: a row for each answer, which says by what job it was found, and how that was run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Iterator, Union

# What each row has of its job, and what of its answer.
OF_JOB = ["model", "examination", "version", "options", "seed", "threads", "host", "begun", "time_limit", "memory_limit"]
OF_END = ["peak_memory_bytes", "status", "error"]


def rows(results: Union[str, Path]) -> Iterator[dict[str, Any]]:
    """The rows of a file of results: of each job the last record, of a job without an answer one row with `id` None.

    `seconds` is when the answer was given, `job_seconds` how long the job took. Lines that are cut off are left out.
    """
    last: dict[tuple[str, str], dict[str, Any]] = {}
    with open(results, encoding="utf-8") as file:
        for line in file:
            try:
                record = json.loads(line)
                last[record["model"], record["examination"]] = record
            except (ValueError, KeyError, TypeError):
                continue
    for record in last.values():
        # Results of earlier versions do not say all of this.
        job = {name: record.get(name) for name in OF_JOB}
        end = {"job_seconds": record["seconds"], **{name: record.get(name) for name in OF_END}}
        nothing: dict[str, Any] = {"id": None, "value": None, "seconds": None, "techniques": []}
        for answer in record["answers"] or [nothing]:
            yield {**job, **{name: answer[name] for name in nothing}, **end}


def to_parquet(results: Union[str, Path], path: Union[str, Path]) -> int:
    """Write the rows as a Parquet file, and say how many there are. Needs pyarrow."""
    import pyarrow as arrow
    import pyarrow.parquet as parquet

    text, number, whole = arrow.string(), arrow.float64(), arrow.uint64()
    schema = arrow.schema([
        ("model", text), ("examination", text), ("version", text), ("options", arrow.list_(text)), ("seed", whole),
        ("threads", arrow.uint32()), ("host", text), ("begun", number), ("time_limit", number), ("memory_limit", whole),
        ("id", text), ("value", text), ("seconds", number), ("techniques", arrow.list_(text)), ("job_seconds", number),
        ("peak_memory_bytes", whole), ("status", arrow.int32()), ("error", text),
    ])
    table = arrow.Table.from_pylist(list(rows(results)), schema=schema)
    parquet.write_table(table, path)
    return int(table.num_rows)
