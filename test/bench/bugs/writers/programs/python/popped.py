def last_of(history):
    return history.pop()  # marker: writes


def main():
    history = ["open", "edit", "save"]
    other = list(history)
    last_of(history)
    last_of(other)
    steps = len(history)
    print(steps)  # marker: wrong


main()
