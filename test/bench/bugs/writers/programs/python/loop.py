def best_of(offers):
    best = None
    for name, price in offers:
        if best is None or price < best[1]:
            best = (name, price)
        elif price == best[1]:
            best = (name, 0)  # marker: writes
    return best  # marker: wrong


print(best_of([("a", 9), ("b", 4), ("c", 4), ("d", 7)]))
