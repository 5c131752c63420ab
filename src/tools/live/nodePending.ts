/**
 * The code that tells what a Node program waits for, as JSON. It reads members only of objects whose prototype is
 * exactly one of Node's own, so no code of the program runs. Other objects are counted by the names of their classes.
 * It evaluates to `null` where there is no Node, such as in a page.
 */
export const NODE_PENDING = String.raw`(() => {
if (typeof process !== 'object' || typeof process._getActiveHandles !== 'function') return 'null';
const {getPrototypeOf: above, getOwnPropertyDescriptor: own} = Object, counts = new Map(), unknown = [];
const builtin = name => {
  try { if (typeof process.getBuiltinModule === 'function') return process.getBuiltinModule(name); } catch {}
  try { return process.mainModule.require(name); } catch {}
};
const types = (builtin('util') || {}).types;
const is = (o, module, name) => { const m = builtin(module); return !!m && !!m[name] && above(o) === m[name].prototype; };
const cut = t => t.length <= 100 ? t : t.slice(0, 100) + '…';
const add = (kind, what) => {
  const key = JSON.stringify([kind, what]), one = counts.get(key);
  if (one) one.count += 1; else counts.set(key, what ? {kind, what: cut(what), count: 1} : {kind, count: 1});
};
const nameOf = o => { const c = own(above(o) || {}, 'constructor'); const n = c && typeof c.value === 'function' && own(c.value, 'name'); return n && typeof n.value === 'string' ? n.value : 'Object'; };
const address = a => a === null || a === undefined ? 'not bound yet' : typeof a === 'string' ? a : a.address + ':' + a.port;
const socket = s => {
  const m = own(s, '_httpMessage'), r = m && m.value;
  const request = r && (is(r, 'http', 'ClientRequest') ? 'waits for the answer to ' + r.method + ' ' + r.host + r.path : is(r, 'http', 'ServerResponse') ? 'has a request whose response has not ended' : undefined);
  const to = s.connecting ? 'connecting' : s.remoteAddress ? s.remoteAddress + ':' + (r && is(r, 'http', 'ServerResponse') ? '*' : s.remotePort) : undefined;
  add('socket', [to, request].filter(Boolean).join(', ') || undefined);
};
const covered = new Set();
for (const h of process._getActiveHandles()) {
  if (h === null || typeof h !== 'object' || !types || types.isProxy(h)) { add('handle'); continue; }
  const standard = [0, 1, 2].find(n => own(h, 'fd') && own(h, 'fd').value === n);
  if (is(h, 'net', 'Socket') || is(h, 'tls', 'TLSSocket') || is(h, 'tty', 'ReadStream') || is(h, 'tty', 'WriteStream')) {
    if (standard > 0) continue;
    if (standard === 0) add('input', 'standard input'); else socket(h);
  } else if (is(h, 'net', 'Server') || is(h, 'http', 'Server') || is(h, 'https', 'Server') || is(h, 'tls', 'Server')) add('server', 'listens at ' + address(h.address()));
  else if (is(h, 'child_process', 'ChildProcess')) add('process', h.spawnfile + ', process ' + h.pid);
  else add('handle', nameOf(h));
}
if (typeof process.getActiveResourcesInfo === 'function') {
  const seen = /^(?:TCP|Pipe|TTY|Process|UDP).*Wrap$|^TickObject$/;
  for (const name of process.getActiveResourcesInfo()) {
    if (name === 'Timeout') add('timer', 'setTimeout or setInterval');
    else if (name === 'Immediate') add('timer', 'setImmediate');
    else if (name.startsWith('FSReq')) add('file', name);
    else if (name.startsWith('GetAddrInfo')) add('dns', 'a host name');
    else if (!seen.test(name)) add('request', name);
  }
  unknown.push('Node does not tell which code set a timer.');
} else unknown.push('This version of Node does not list timers and requests.');
unknown.push('A promise that nothing will settle is not listed: Node does not keep it.');
const all = [...counts.values()].sort((a, b) => b.count - a.count);
return JSON.stringify({pending: all.slice(0, 20), unknown, total: {pending: all.reduce((n, e) => n + e.count, 0)}});
})()`;
