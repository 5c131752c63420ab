// Precision: a level is kept in 16 bits, and a wet week takes it beyond them.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

struct Gauge {
  std::int16_t level = 0;
  int alarms = 0;

  void add(int millimetres) {
    std::int16_t now = static_cast<std::int16_t>(level + millimetres); // marker: cause
    if (now > 30000) ++alarms;                                         // marker: after
    level = std::max<std::int16_t>(now, 0);
  }
};

int main() {
  const std::vector<int> rain{2900, 3100, 4050, 2700, 3900, 4400, 3800, 3600, 4700, 1200};
  Gauge gauge;
  for (int each : rain) gauge.add(each);
  std::printf("level %d, alarms %d, expected 34350 and 2\n", gauge.level, gauge.alarms); // marker: symptom
  return gauge.alarms == 2 ? 0 : 1;
}
