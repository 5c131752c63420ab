class Basket {
  static items = [];

  constructor(owner) {
    this.owner = owner;
  }

  put(item) {
    Basket.items.push(item); // marker: writes
  }
}

function main() {
  const ada = new Basket('Ada');
  ada.put('tea');
  ada.put('nuts');
  console.log(Basket.items.length); // marker: wrong
}

main();
