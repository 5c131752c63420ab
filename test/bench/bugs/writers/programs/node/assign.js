class Account {
  constructor(owner) {
    this.owner = owner;
    this.limit = 1000;
  }
}

function change(account, changes) {
  Object.assign(account, changes); // marker: writes
}

function main() {
  const one = new Account('Ada');
  const other = new Account('Bob');
  change(one, { limit: 500 });
  change(other, { limit: 0 });
  change(one, { open: false });
  console.log(one.limit, other.limit); // marker: wrong
}

main();
