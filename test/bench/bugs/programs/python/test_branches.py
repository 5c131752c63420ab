"""Shared state: the stock stands in the class, so all branches have one."""


class Branch:
    stock = {}

    def __init__(self, name):
        self.name = name

    def receive(self, sku, count):
        held = self.stock.get(sku, 0) + count  # marker: cause
        self.stock[sku] = held  # marker: after
        return held


DELIVERIES = [
    ("west", "bolt", 1400),
    ("west", "nail", 5200),
    ("east", "clamp", 310),
    ("west", "hinge", 420),
    ("east", "plate", 95),
    ("east", "screw", 2600),
    ("west", "washer", 880),
    ("east", "bolt", 2150),
    ("east", "rivet", 640),
]


def deliver(deliveries):
    branches = {}
    most = 0
    for name, sku, count in deliveries:
        branch = branches.setdefault(name, Branch(name))
        if sku == "bolt":
            most = max(most, branch.receive(sku, count))
        else:
            branch.receive(sku, count)
    return most


def test_no_branch_has_more_than_it_received():
    most = deliver(DELIVERIES)
    assert most == 2150  # marker: symptom
