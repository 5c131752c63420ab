class Order {
  constructor(total) {
    this.total = total;
  }

  get total() {
    return this.amount;
  }

  set total(amount) {
    this.amount = Math.round(amount / 10) * 10; // marker: writes
  }
}

function main() {
  const order = new Order(100);
  order.total = order.total - 26;
  order.paid = true;
  console.log(order.amount); // marker: wrong
}

main();
