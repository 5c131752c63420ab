"""Precision: round() takes a half to the even number, so a share of 1062.5 loses what the invoice needs."""

INVOICE = [
    ("rent", 4240, 4),
    ("heating", 918, 3),
    ("water", 311, 1),
    ("lift", 1260, 2),
    ("garden", 774, 2),
    ("roof", 2125, 2),
    ("cable", 96, 1),
    ("waste", 387, 3),
]


def share_of(amount, parties):
    share = round(amount / parties)  # marker: cause
    return share  # marker: after


def statement(invoice):
    """What one party pays; a half is the party's."""
    total = 0
    for _, amount, parties in invoice:
        total += share_of(amount, parties)
    return total


def test_a_party_pays_its_share():
    total = statement(INVOICE)
    assert total == 3_982  # marker: symptom
