const { createServer } = require('node:http');

const ZONES = { DE: { zone: 1 }, FR: { zone: 2 }, GB: { zone: 3 } };
const FEES = [0, 490, 890, 1450];
const customers = new Map([
  ['17', { name: 'Ines', country: 'DE' }],
  ['18', { name: 'Marc', country: 'FR' }],
  ['19', { name: 'Joan', country: 'UK' }],
]);

function fee({ country }) {
  const { zone } = ZONES[country]; // marker: cause
  return FEES[zone];
}

function checkout(url) {
  const { searchParams } = new URL(url, 'http://shop.example');
  const customer = customers.get(searchParams.get('customer'));
  return { name: customer.name, fee: fee(customer) };
}

const server = createServer((request, response) => {
  try {
    response.end(`${JSON.stringify(checkout(request.url))}\n`);
  } catch {
    response.writeHead(503).end('Please try again later.\n');
  }
});
const port = Number(process.argv[2]);
server.listen(port, '127.0.0.1', () => console.log(`listening on ${port}`));
