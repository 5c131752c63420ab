def pack(queue, size):
    parcel = queue[:size]
    queue[: size + 1] = []  # marker: writes
    return parcel


def main():
    queue = ["a", "b", "c", "d", "e"]
    pack(queue, 2)
    left = len(queue)
    print(left)  # marker: wrong


main()
