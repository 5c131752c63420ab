const { createServer } = require('node:http');

const RATES = { eur: 1, chf: 0.94, sek: 11.2 };
const prices = new Map([
  ['pump', 4200],
  ['valve', 310],
  ['hose', 95],
]);
const cache = new Map();

function quote(article, currency) {
  const key = `${article}:${currency}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const amount = Math.round(prices.get(article) * RATES[currency]);
  cache.set(key, amount);
  return amount;
}

function change(article, amount) {
  prices.set(article, amount);
  cache.delete(article); // marker: cause
}

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://shop.example');
  const article = pathname.slice(1);
  if (!prices.has(article)) return response.writeHead(404).end();
  if (request.method === 'PUT') {
    change(article, Number(searchParams.get('amount')));
    return response.writeHead(204).end();
  }
  const currency = searchParams.get('in') ?? 'eur';
  response.end(`${quote(article, currency)}\n`);
});
const port = Number(process.argv[2]);
server.listen(port, '127.0.0.1', () => console.log(`listening on ${port}`));
