// A wrong type: what is left in a tank is unsigned, and wraps around when more is taken than there is.
#include <algorithm>
#include <cstdio>
#include <vector>

struct Draw {
  const char *pump;
  unsigned litres;
};

class Tank {
public:
  explicit Tank(unsigned litres) : litres_(litres) {}

  /** Takes what is asked for, as far as it is there, and returns how much that was. */
  unsigned take(unsigned wanted) {
    unsigned left = litres_ - wanted;            // marker: cause
    unsigned taken = left > 0 ? wanted : litres_; // marker: after
    litres_ = std::max(left, 0U);
    return taken;
  }

private:
  unsigned litres_;
};

int main() {
  const std::vector<Draw> draws{{"A", 310}, {"B", 275}, {"A", 420}, {"C", 150}, {"B", 390},
                                {"A", 260}, {"C", 345}, {"B", 180}, {"A", 330}, {"C", 295}};
  Tank tank(2600);
  unsigned sold = 0;
  for (const Draw &draw : draws) sold += tank.take(draw.litres);
  std::printf("sold %u, expected 2600\n", sold); // marker: symptom
  return sold == 2600 ? 0 : 1;
}
