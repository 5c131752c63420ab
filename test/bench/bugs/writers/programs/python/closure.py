def counter():
    state = {"count": 0}

    def add(amount):
        state["count"] += amount  # marker: writes
        return state

    return add


def main():
    visits, errors = counter(), counter()
    visits(3)
    state = errors(1)
    visits(2)
    state = errors(-4)
    visits(1)
    print(state["count"])  # marker: wrong


main()
