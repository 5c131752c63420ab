// A look that changes: asking a map for an article that it does not have puts the article into it.
#include <cstdio>
#include <map>
#include <vector>

constexpr int kPool = 6000;

/** How many there are of each article, by its number. */
using Stock = std::map<int, int>;

/** The space that an article of the stock gets, a little more where there is much of it. */
int spaceFor(Stock &stock, int article) {
  int present = stock[article]; // marker: cause
  int share = kPool / static_cast<int>(stock.size());
  int space = present > 500 ? share + 40 : share;
  return space; // marker: after
}

int main() {
  Stock stock{{8101, 620}, {8102, 80}, {8103, 5200}, {8104, 45}};
  const std::vector<int> asked{8101, 8103, 8104, 8102, 8103, 8101, 8102, 8110, 8104, 8101, 8103};
  int sum = 0;
  for (int article : asked) sum += spaceFor(stock, article);
  std::printf("space %d, expected 16740\n", sum); // marker: symptom
  return sum == 16740 ? 0 : 1;
}
