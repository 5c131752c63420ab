def median(values):
    values.sort()  # marker: writes
    return values[len(values) // 2]


def report(readings):
    middle = median(readings)
    first = readings[0]
    print(first, middle)  # marker: wrong


report([21, 19, 35, 20, 18])
