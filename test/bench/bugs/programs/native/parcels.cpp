// Wrong case: the fee of a fragile parcel falls through to that of a bulky one.
#include <cstdio>
#include <vector>

enum class Kind { letter, small, fragile, bulky };

struct Parcel {
  int id;
  Kind kind;
  int grams;
};

int feeOf(const Parcel &parcel) {
  int fee = parcel.grams / 100; // marker: begin
  switch (parcel.kind) {
  case Kind::letter:
    fee += 95;
    break;
  case Kind::small:
    fee += 390;
    break;
  case Kind::fragile:
    fee += 1850; // marker: cause
  case Kind::bulky:
    fee += 2500;
    break;
  }
  return fee; // marker: after
}

int main() {
  const std::vector<Parcel> parcels{
      {71, Kind::letter, 100}, {72, Kind::small, 900},   {73, Kind::small, 1400}, {74, Kind::bulky, 9000},
      {75, Kind::letter, 200}, {76, Kind::small, 700},   {77, Kind::bulky, 7500}, {78, Kind::small, 1100},
      {79, Kind::letter, 100}, {80, Kind::fragile, 3100}, {81, Kind::letter, 300}};
  int sum = 0;
  for (const Parcel &parcel : parcels) sum += feeOf(parcel);
  std::printf("fees %d, expected 9034\n", sum); // marker: symptom
  return sum == 9034 ? 0 : 1;
}
