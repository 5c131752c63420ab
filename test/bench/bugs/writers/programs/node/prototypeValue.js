function Client(name) {
  this.name = name;
}
Client.prototype.timeout = 30;

function hurry(client) {
  Object.getPrototypeOf(client).timeout = 1;
  Client.prototype.timeout = 2; // marker: writes
  return client;
}

function main() {
  const slow = new Client('slow');
  hurry(new Client('fast'));
  console.log(slow.name, slow.timeout); // marker: wrong
}

main();
