import queue
import threading

WORKERS = 2


class PrinterBusy(Exception):
    pass


class Packing:
    def __init__(self):
        self.jobs = queue.Queue()
        self.packed = []
        self.tried = set()

    def print_label(self, order):
        is_long = order.endswith("9")
        if is_long and order not in self.tried:
            self.tried.add(order)
            raise PrinterBusy(order)

    def work(self):
        while (order := self.jobs.get()) is not None:
            try:
                self.print_label(order)
            except PrinterBusy:
                self.jobs.put(order)  # marker: cause
                continue
            self.packed.append(order)


def main():
    packing = Packing()
    for number in range(1, 13):
        packing.jobs.put(f"K-{number}")
    for _ in range(WORKERS):
        packing.jobs.put(None)
    threads = [threading.Thread(target=packing.work) for _ in range(WORKERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(f"12 orders, {len(packing.packed)} packed")


if __name__ == "__main__":
    main()
