def sold_out(stock, names):
    for name in names:
        if stock[name] <= 1:
            del stock[name]  # marker: writes


def main():
    stock = {"tea": 4, "nuts": 1, "rice": 7}
    sold_out(stock, ["tea", "nuts"])
    count = len(stock)
    print(count)  # marker: wrong


main()
