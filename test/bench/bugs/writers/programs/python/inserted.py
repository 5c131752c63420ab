import bisect


def rank(scores, score):
    bisect.insort(scores, -score)  # marker: writes
    return len(scores)


def main():
    scores = []
    rank(scores, 30)
    rank(scores, 10)
    lowest = scores[0]
    print(lowest)  # marker: wrong


main()
