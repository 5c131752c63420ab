// Aliasing that is missing: a transfer is booked on a copy of its account.
#include <cstdio>
#include <string>
#include <vector>

struct Account {
  std::string owner;
  int balance;
};

struct Transfer {
  std::size_t to;
  int amount;
  bool isLate;
};

/** Books a transfer that came in after hours, less its fee. */
int bookLate(std::vector<Account> &accounts, const Transfer &transfer) {
  Account account = accounts[transfer.to]; // marker: cause
  account.balance += transfer.amount - 5;
  int balance = account.balance;
  return balance; // marker: after
}

int book(std::vector<Account> &accounts, const Transfer &transfer) {
  if (transfer.isLate) return bookLate(accounts, transfer);
  return accounts[transfer.to].balance += transfer.amount;
}

int main() {
  std::vector<Account> accounts{{"Ada", 1000}, {"Bo", 2400}, {"Cy", 1750}};
  const std::vector<Transfer> transfers{{0, 300, false}, {1, 150, true}, {2, 425, false},
                                        {0, 1205, true}, {2, 95, true},  {0, 2305, true},
                                        {1, 60, false},  {2, 310, true}};
  int paid = 0;
  for (const Transfer &transfer : transfers) paid += book(accounts, transfer);
  int sum = 0;
  for (const Account &account : accounts) sum += account.balance;
  std::printf("sum %d, expected 9975, paid %d\n", sum, paid); // marker: symptom
  return sum == 9975 ? 0 : 1;
}
