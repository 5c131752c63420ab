// @ts-check
/** Serves this folder on loopback: the relay answers pages of this machine only. `node serve.mjs [port]` */
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = path.dirname(fileURLToPath(import.meta.url));
/** @type {Record<string, string>} */
const FILES = {
  '/': 'text/html',
  '/index.html': 'text/html',
  '/relay.css': 'text/css',
  '/relay.js': 'text/javascript',
};

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const type = FILES[pathname];
  if (type === undefined) {
    response.writeHead(404).end();
    return;
  }
  const name = pathname === '/' ? 'index.html' : pathname.slice(1);
  response.writeHead(200, { 'content-type': `${type}; charset=utf-8` });
  response.end(await readFile(path.join(folder, name)));
});
server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null)
    console.log(`http://127.0.0.1:${address.port}/`);
});
