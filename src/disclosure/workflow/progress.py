"""What a run tells while it works: a line for each job that has ended, how many are left, and about how long they take."""

import logging
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable

from disclosure.workflow.protocols import Job

__all__ = ["Progress"]

# Snakemake's own words about the same: its jobs by number only, and how it chooses the next ones.
_REPLACED = ("job_started", "job_finished", "progress")
_CHOOSING = "Select jobs to execute..."


class Progress(logging.Filter):
    """A filter of Snakemake's log that puts a line of its own in the place of four of Snakemake's for each job.

    Parameters
    ----------
    jobs : iterable
        Snakemake's jobs that the run will execute.
    cores : int
        How many of them work at once.
    clock : callable, optional
        The time in seconds.

    Attributes
    ----------
    done, total : int
    """

    def __init__(self, jobs: Iterable[Job], cores: int, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._jobs = {job.jobid: job for job in jobs}
        self._cores = max(1, cores)
        self._clock = clock
        self._started: dict[int, float] = {}
        self._seconds: defaultdict[str, list[float]] = defaultdict(list)
        self._left = Counter(job.rule.name for job in self._jobs.values())
        self.done, self.total = 0, len(self._jobs)

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the log shows the record; that of a job's end is rewritten."""
        # Snakemake's records have more attributes than those of `logging`.
        event, added = str(getattr(record, "event", None) or ""), vars(record)
        if event == "job_started":
            self._started.update(dict.fromkeys(added["jobs"], self._clock()))
        if event != "job_finished":
            return event not in _REPLACED and record.msg != _CHOOSING
        record.msg, record.args = self.finished(added["job_id"]), None
        added["event"] = None
        return True

    def finished(self, number: int) -> str:
        """The line for the end of the job with this number."""
        job = self._jobs[number]
        now = self._clock()
        self._seconds[job.rule.name].append(now - self._started.get(number, now))
        self._left[job.rule.name] -= 1
        self.done += 1
        place = f"[{self.done:>{len(str(self.total))}}/{self.total}]"
        left = self.left()
        return f"{place} {described(job)}" + (f"; about {_duration(left)} left" if left is not None else "")

    def left(self) -> float | None:
        """Estimated seconds until the run ends; None at its end, and while too little is known.

        A job that is left is taken to last as long as the others of its rule did on average, or of all rules where none of its
        own has ended yet. If that is so of most jobs that are left, as at the beginning of a run, whose first jobs are short,
        there is no estimate.
        """
        if self.done == self.total:
            return None
        left = self.total - self.done
        if 2 * sum(self._left[rule] for rule in self._seconds) < left:
            return None
        known = {rule: sum(seconds) / len(seconds) for rule, seconds in self._seconds.items()}
        every = [second for seconds in self._seconds.values() for second in seconds]
        typical = sum(every) / len(every)
        return sum(number * known.get(rule, typical) for rule, number in self._left.items()) / self._cores


def described(job: Job) -> str:
    """A job in words: its rule and what it is about, such as "simulate figure1, point 012, shard 0"."""
    wildcards = {name: value for name, value in job.wildcards_dict.items() if value}
    subject = next((wildcards.pop(name) for name in ("sweep", "odds_figure", "shown") if name in wildcards), "")
    subject = " ".join(filter(None, [job.rule.name, subject, wildcards.pop("variant", "").strip("_")]))
    return ", ".join([subject, *(f"{name} {value}" for name, value in wildcards.items())])


def _duration(seconds: float) -> str:
    """In words, rounded as an estimate deserves.

    >>> [_duration(seconds) for seconds in (0.4, 42, 100, 3000, 9000)]
    ['1 s', '42 s', '2 min', '50 min', '2.5 h']
    """
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
