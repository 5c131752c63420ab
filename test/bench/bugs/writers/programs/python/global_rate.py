rate = 5


def load(text):
    global rate
    for line in text.split():
        name, _, value = line.partition("=")
        if name.startswith("rate"):
            rate = int(value)  # marker: writes


def interest(amount):
    return amount * rate // 100


load("rate=7 owner=ada rates=70")
print(interest(200), rate)  # marker: wrong
