"""Wrong default: the list that stands for no notes is made once and shared by all orders."""

ORDERS = [
    ("K-1001", ["gift"], False),
    ("K-1018", ["call first"], True),
    ("K-1044", None, True),
    ("K-1050", [], False),
    ("K-1063", ["fragile"], True),
    ("K-1071", [], True),
    ("K-1088", ["pallet"], False),
    ("K-2071", None, True),
    ("K-2090", ["gift"], False),
]


def label(code, express, notes=[]):
    """The lines on a parcel's label."""
    if express:
        notes.append("express " + code)  # marker: cause
    width = max(map(len, notes), default=0)  # marker: after
    return [note.ljust(width) for note in notes]


def print_all(orders):
    printed = 0
    for code, notes, express in orders:
        lines = label(code, express) if notes is None else label(code, express, notes)
        printed += len(lines)
    return printed


def test_a_label_has_the_lines_of_its_order():
    printed = print_all(ORDERS)
    assert printed == 10  # marker: symptom
