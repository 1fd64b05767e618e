"""Many jobs on many machines: the workers of Dask or Ray, or an executor of Python, do what `starset batch` does.

Whoever has a cluster has a scheduler for it; this package is no other one. The unit of work stays a job of ``starset batch``, a
process with limits of its own, and what comes of it is a line of the same file (docs/batch.md): the program scores, merges and
resumes what was done here, and this package what was done there.

>>> import dask.distributed    # doctest: +SKIP
>>> client = dask.distributed.Client("scheduler:8786")        # doctest: +SKIP
>>> batch(["INSTANCES"], results="results.jsonl", client=client, time=60, memory="8G")    # doctest: +SKIP

``client`` is a ``dask.distributed.Client``, the module ``ray`` after ``ray.init()``, or a ``concurrent.futures`` executor;
without one, threads of this process start the jobs. ``portfolio`` asks one problem in many ways at once, and the first answer
ends the others. Workers need the program ``starset`` and the same paths to the models.

**No job lost, none done twice.** A worker that dies takes its job along; Dask and Ray run it again elsewhere, and a job that has
cost several workers their life is recorded as failed, as ``starset batch`` does with one that is killed. Schedulers promise that
something is run at least once; a result is recorded at most once, since one process writes them, under the lock that ``starset
batch`` uses, each job's first and no other. When that process is killed, the same call goes on where it stopped.
"""

from .batches import Summary, batch
from .portfolios import Disagreement, Found, portfolio
from .table import rows, to_parquet
from .work import ClusterError

__all__ = ["Disagreement", "Found", "ClusterError", "Summary", "batch", "portfolio", "rows", "to_parquet"]
