"""Mutation while iterating: after a job is taken out of the queue, the one behind it is not looked at."""

LONGEST = 1000


def defer_long_jobs(queue):
    """Takes long jobs out of the queue and returns how many minutes were looked at, and the long jobs."""
    looked_at = 0  # marker: begin
    deferred = []
    for minutes in queue:
        looked_at += minutes
        if minutes > LONGEST:  # marker: after
            deferred.append(minutes)
            queue.remove(minutes)  # marker: cause
    return looked_at, deferred


def plan(days):
    """The minutes that are left for each day."""
    left = []
    for queue in days:
        defer_long_jobs(queue)
        left.append(sum(queue))
    return left


def test_long_jobs_are_deferred():
    left = plan([[12, 30, 45, 20, 16], [55, 14, 1200, 8], [31, 12, 5100, 6200, 15, 22]])
    assert sum(left) == 280  # marker: symptom
