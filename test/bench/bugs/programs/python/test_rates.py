"""Stale cache: a rate is kept for the whole year, though the table is loaded again in July."""

from functools import lru_cache

TABLE = {"north": 1650, "south": 1410}
CHANGES = {"2026-07": {"north": 1875}}


@lru_cache
def rate_of(region):
    return TABLE[region]


def load_changes(month):
    TABLE.update(CHANGES.get(month, {}))


def bill(month, region, units):
    rate = rate_of(region)  # marker: cause
    amount = rate * units  # marker: after
    return amount


def year(region, units):
    total = 0
    for number, each in enumerate(units, 1):
        month = f"2026-{number:02}"
        load_changes(month)
        total += bill(month, region, each)
    return total


def test_a_year_has_the_rates_of_its_months():
    total = year("north", [4, 3, 5, 2, 4, 6, 3, 5, 2])
    assert total == 58_350  # marker: symptom
