import threading


class Ledger:
    def __init__(self):
        self.entries_lock = threading.Lock()
        self.totals_lock = threading.Lock()
        self.entries = []
        self.total = 0
        self.closed = 0


def book(ledger, amounts, started):
    for amount in amounts:
        with ledger.entries_lock:
            started.wait()
            ledger.entries.append(amount)
            with ledger.totals_lock:  # marker: one
                ledger.total += amount


def close(ledger, days, started):
    for _ in range(days):
        with ledger.totals_lock:
            started.wait()
            with ledger.entries_lock:  # marker: other
                ledger.closed += len(ledger.entries)
                ledger.entries.clear()
            ledger.total = 0


def main():
    ledger = Ledger()
    started = threading.Barrier(2)
    booking = threading.Thread(target=book, args=(ledger, [40, 25, 90], started), name="booking")
    closing = threading.Thread(target=close, args=(ledger, 3, started), name="closing")
    booking.start()
    closing.start()
    booking.join()
    closing.join()
    print(f"{ledger.closed} entries closed")


if __name__ == "__main__":
    main()
