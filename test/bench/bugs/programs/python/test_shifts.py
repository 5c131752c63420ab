"""Time zones: the zone of a time in UTC is replaced, not converted, so late shifts count for the day before."""

from datetime import datetime, timedelta, timezone

KYIV = timezone(timedelta(hours=2))

SHIFTS = [
    ("2026-03-29T06:00:00+02:00", 480),
    ("2026-03-29T14:00:00+02:00", 450),
    ("2026-03-30T06:00:00+02:00", 480),
    ("2026-03-30T12:30:00+00:00", 300),
    ("2026-03-30T14:00:00+02:00", 420),
    ("2026-03-31T06:00:00+02:00", 465),
    ("2026-03-31T09:15:00+00:00", 240),
    ("2026-03-31T23:30:00+00:00", 510),
    ("2026-04-01T06:00:00+02:00", 480),
]


def day_of(text):
    started = datetime.fromisoformat(text).replace(tzinfo=KYIV)  # marker: cause
    day = started.strftime("%d.%m.")  # marker: after
    return day


def minutes_by_day(shifts):
    days = {}
    for text, minutes in shifts:
        day = day_of(text)
        days[day] = days.get(day, 0) + minutes
    return days


def test_shifts_count_for_the_day_in_kyiv():
    days = minutes_by_day(SHIFTS)
    assert days["01.04."] == 990  # marker: symptom
