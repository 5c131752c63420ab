// Mutation while iterating: after a reading is erased, the one behind it is not looked at.
#include <cstdio>
#include <vector>

constexpr int kHighest = 1000;

/** Erases readings that are too high; returns the sum of those that were looked at. */
int dropOutliers(std::vector<int> &readings) {
  int lookedAt = 0;
  for (std::size_t at = 0; at < readings.size(); ++at) {
    lookedAt += readings[at];
    if (readings[at] > kHighest)             // marker: after
      readings.erase(readings.begin() + at); // marker: cause
  }
  return lookedAt;
}

int sumOf(const std::vector<int> &readings) {
  int sum = 0;
  for (int each : readings) sum += each;
  return sum;
}

int main() {
  std::vector<std::vector<int>> sensors{
      {412, 408, 420, 415}, {390, 2950, 401, 397}, {455, 448, 450, 5100, 6200, 447}};
  int sum = 0;
  for (auto &readings : sensors) {
    dropOutliers(readings);
    sum += sumOf(readings);
  }
  std::printf("sum %d, expected 4643\n", sum); // marker: symptom
  return sum == 4643 ? 0 : 1;
}
