// Off by one in the last round: the end of the last block is the index of its last item, not the one behind it.
#include <cstdio>
#include <numeric>
#include <vector>

constexpr int kBlock = 128;

struct Block {
  int first;
  int count;
};

std::vector<Block> blocksOf(int items) {
  std::vector<Block> blocks;
  for (int first = 0; first < items; first += kBlock) {
    int last = first + kBlock < items ? first + kBlock : items - 1; // marker: cause
    blocks.push_back({first, last - first});                        // marker: after
  }
  return blocks;
}

long sum(const std::vector<int> &values, const std::vector<Block> &blocks) {
  long total = 0;
  for (const Block &block : blocks) {
    auto begin = values.begin() + block.first;
    total = std::accumulate(begin, begin + block.count, total);
  }
  return total;
}

int main() {
  std::vector<int> values(1280, 3);
  long total = sum(values, blocksOf(static_cast<int>(values.size())));
  std::printf("total %ld, expected 3840\n", total); // marker: symptom
  return total == 3840 ? 0 : 1;
}
