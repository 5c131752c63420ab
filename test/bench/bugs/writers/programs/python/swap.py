def bounds(values):
    low, high = values[0], values[0]
    for value in values:
        if value < low:
            low = value
        if value < high:
            low, high = high, value  # marker: writes
    return low, high  # marker: wrong


print(bounds([4, 9, 2]))
