// Stale index: the place of the cheapest offer is used after the offers have been sorted anew.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

struct Offer {
  std::string seller;
  int price;
  int rating;
};

std::size_t cheapestOf(const std::vector<Offer> &offers) {
  std::size_t best = 0;
  for (std::size_t at = 1; at < offers.size(); ++at)
    if (offers[at].price < offers[best].price) best = at;
  return best;
}

int buy(std::vector<Offer> offers) {
  std::size_t cheapest = cheapestOf(offers);
  std::stable_sort(offers.begin(), offers.end(),
                   [](const Offer &one, const Offer &other) { return one.rating > other.rating; });
  int paid = offers[cheapest].price; // marker: cause
  return paid;                       // marker: after
}

int main() {
  const std::vector<std::vector<Offer>> markets{
      {{"a", 1210, 5}, {"b", 1260, 4}}, {{"c", 1190, 5}, {"d", 1205, 3}}, {{"e", 1305, 4}, {"f", 1240, 4}},
      {{"g", 1220, 5}, {"h", 1375, 2}}, {{"i", 1255, 4}, {"k", 1280, 1}}, {{"l", 1235, 3}, {"m", 1890, 5}},
      {{"n", 1270, 5}, {"o", 1215, 5}}};
  int paid = 0;
  for (const auto &offers : markets) paid += buy(offers);
  std::printf("paid %d, expected 8565\n", paid); // marker: symptom
  return paid == 8565 ? 0 : 1;
}
