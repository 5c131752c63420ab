class Client:
    timeout = 30

    def __init__(self, name):
        self.name = name


def hurry(client):
    Client.timeout = 1  # marker: writes
    return client


def main():
    slow, fast = Client("slow"), Client("fast")
    hurry(fast)
    print(slow.name, slow.timeout)  # marker: wrong


main()
