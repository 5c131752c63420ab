/** Serves the files of this folder to this machine, and prints the address. */
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

const root = import.meta.dirname;
const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8' };

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const file = path.join(root, path.basename(pathname) || 'index.html');
  const type = TYPES[path.extname(file)];
  const text = type && (await readFile(file).catch(() => undefined));
  response.writeHead(text ? 200 : 404, { 'content-type': type ?? 'text/plain' });
  response.end(text ?? 'not found');
});
server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () =>
  console.log(`http://127.0.0.1:${server.address().port}/index.html`),
);
