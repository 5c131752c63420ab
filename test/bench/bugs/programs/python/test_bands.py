"""Late binding: all rules of a tariff look up the rate when they are called, and it is the last one then."""

BANDS = [
    ("letter", 0.0150),
    ("small", 0.0225),
    ("medium", 0.0310),
    ("large", 0.0415),
    ("bulky", 0.0550),
    ("pallet", 0.0775),
]

PARCELS = [("letter", 1200), ("small", 800), ("small", 2400), ("medium", 1500), ("pallet", 4000)]


def rules_of(bands):
    rules = {}
    for name, rate in bands:
        rules[name] = lambda value: round(value * rate)  # marker: cause
    return rules


def insure(parcels, rules):
    total = 0
    for name, value in parcels:
        premium = rules[name](value)
        total += premium  # marker: after
    return total


def test_parcels_are_insured_by_their_band():
    total = insure(PARCELS, rules_of(BANDS))
    assert total == 446  # marker: symptom
