"""A generator is read twice: whoever is counted first has nothing left to sum up."""

BASE = {"cafe": 310, "fleet": 940, "garden": 120, "kitchen": 655, "legal": 80, "logistics": 7013, "sales": 415}

ROWS = {
    "cafe": [120, 80],
    "fleet": [300, 410],
    "garden": [60],
    "kitchen": [95, 130],
    "legal": [700, 20],
    "logistics": [210, 340, 180, 270, 390],
    "sales": [510, 90],
}

MANY = 4


def cost_of(department, rows):
    positive = (amount for amount in rows if amount > 0)  # marker: begin
    notes = []
    if len(rows) >= MANY:
        notes.append(f"{department}: {len(list(positive))} rows")  # marker: cause
    cost = sum(positive, BASE[department])
    return cost, notes  # marker: after


def report(departments):
    total = 0
    for department, rows in departments.items():
        cost, _ = cost_of(department, rows)
        total += cost
    return total


def test_the_report_has_all_costs():
    total = report(ROWS)
    assert total == 13_438  # marker: symptom
