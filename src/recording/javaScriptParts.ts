/**
 * The part of the recorder that compares the contents of values whose text shows only a part, from one line of a call to
 * the next. It keeps copies of primitives and the shape of what holds them, never an object of the program. It runs no
 * code of the program, and expects the functions of the recorder around it.
 */
export const JAVASCRIPT_PARTS = String.raw`(() => {
// The elements of one value, the levels of members, the members of one call, and the parts that are told and looked for.
const MOST = 20000, DEEPEST = 6, TOLD = 3, FOUND = 500, {ownKeys} = Reflect, LIST = 0, KEYED = 1, FIELDS = 2;
const types = util?.types ?? {}, code = Function.prototype.toString;
let work = 2e6, whole = true, count = 0;
const ids = new WeakMap(), hiding = new WeakMap();
const idOf = o => { let n = ids.get(o); if (n === undefined) ids.set(o, n = count += 1); return n; };
class Leaf { constructor(id, shown) { this.id = id; this.shown = shown; } }
class Part { constructor(mark, items) { this.mark = mark; this.items = items; } }
const ABSENT = new Leaf('absent', 'absent');
const opaque = (v, shown) => { whole = false; return new Leaf(idOf(v), shown); };
// Objects whose contents are not in their properties.
const HIDDEN = ['isPromise', 'isWeakMap', 'isWeakSet', 'isNativeError', 'isBoxedPrimitive', 'isAnyArrayBuffer', 'isDataView', 'isGeneratorObject', 'isMapIterator', 'isSetIterator', 'isExternal', 'isModuleNamespaceObject', 'isArgumentsObject'];
// Whether the classes of an object may have private fields, which nothing shows.
const hides = v => {
  for (let p = above(v); p !== null; p = above(p)) {
    if (isProxy(p)) return true;
    const c = has(p, 'constructor');
    if (typeof c !== 'function' || isProxy(c)) continue;
    let found = hiding.get(c);
    if (found === undefined) hiding.set(c, found = (tryIt(() => code.call(c)) ?? '#').includes('#'));
    if (found) return true;
  }
  return false;
};
const copy = (v, depth, seen) => {
  if ((work -= 1) < 0) throw 0;
  if (typeof v === 'function') return isProxy(v) ? opaque(v, '[Proxy]') : new Leaf(idOf(v), 'ƒ');
  if (typeof v !== 'object' || v === null) return v;
  if (isProxy(v)) return opaque(v, '[Proxy]');
  if (seen.includes(v)) return new Leaf('^' + seen.indexOf(v), '…');
  if (depth === 0) throw 0;
  return contents(v, depth - 1, [...seen, v]);
};
const contents = (v, depth, seen) => {
  if (isArray(v)) return elements(v, depth, seen);
  if (isMap(v)) return keyed(v, mapEach, depth, seen);
  if (isSet(v)) return keyed(v, setEach, depth, seen);
  if (typedTag.call(v) !== undefined) return numbers(v);
  if (isDate(v)) { const t = time.call(v); return new Leaf('date ' + t, t === t ? iso.call(v) : 'Invalid Date'); }
  if (types.isRegExp?.(v)) return new Leaf(source.call(v), '/' + source.call(v) + '/');
  if (HIDDEN.some(is => types[is]?.(v)) || util === undefined) return opaque(v, '<object>');
  if (hides(v)) whole = false;
  return fields(v, depth, seen);
};
const member = (v, k, depth, seen) => {
  const d = own(v, k);
  if (d === undefined) return ABSENT;
  if ('value' in d) return copy(d.value, depth, seen);
  whole = false;
  return new Leaf('getter', '(getter)');
};
const elements = (v, depth, seen) => {
  const n = has(v, 'length'), items = [];
  if (n > MOST) throw 0;
  for (let i = 0; i < n; i++) items.push(member(v, i, depth, seen));
  if (ownKeys(v).length > n + 1) whole = false;
  return new Part(LIST, items);
};
const numbers = v => {
  const n = typedLength.call(v), items = [];
  if (n > MOST || (work -= n >> 2) < 0) throw 0;
  for (let i = 0; i < n; i++) items.push(v[i]);
  return new Part(LIST, items);
};
const keyText = k => typeof k === 'object' && k !== null || typeof k === 'function' ? 'object ' + idOf(k) : typeof k === 'symbol' ? str(k) : cut(primitive(k), 40) + (typeof k === 'string' && k.length > 40 ? '#' + k : '');
const keyed = (v, each, depth, seen) => {
  const items = Object.create(null);
  let n = 0;
  each.call(v, (x, k) => { if ((n += 1) > MOST) throw 0; items[keyText(k)] = copy(x, depth, seen); });
  return new Part(KEYED, items);
};
const fields = (v, depth, seen) => {
  const all = ownKeys(v), items = Object.create(null);
  if (all.length > MOST) throw 0;
  for (const k of all) items[typeof k === 'string' ? k : str(k)] = member(v, k, depth, seen);
  return new Part(FIELDS, items);
};
const counted = items => items.length === 0 ? '[]' : '[… ' + items.length + ', ' + shown(items[items.length - 1]) + ']';
const shown = a => a instanceof Leaf ? a.shown : a instanceof Part ? (a.mark === LIST ? counted(a.items) : '{… ' + keys(a.items).length + '}') : cut(primitive(a), 80);
const same = (a, b) => a instanceof Leaf && b instanceof Leaf ? a.id === b.id : Object.is(a, b);
const differ = (a, b, path, out) => {
  if (out.length >= FOUND) return;
  if (!(a instanceof Part) || !(b instanceof Part) || a.mark !== b.mark) { if (!same(a, b)) atoms(a, b, path, out); return; }
  if (a.mark === LIST) {
    if (a.items.length !== b.items.length) { out.push([path, counted(a.items), counted(b.items)]); return; }
    for (let i = 0; i < a.items.length; i++) if (!Object.is(a.items[i], b.items[i])) differ(a.items[i], b.items[i], path + '[' + i + ']', out);
    return;
  }
  for (const k of keys({...a.items, ...b.items})) differ(k in a.items ? a.items[k] : ABSENT, k in b.items ? b.items[k] : ABSENT, path + (a.mark === FIELDS && /^[\w$]+$/.test(k) ? '.' + k : '[' + cut(k, 60) + ']'), out);
};
const atoms = (a, b, path, out) => {
  if (typeof a !== 'string' || typeof b !== 'string' || a.length < 60 || b.length < 60) { out.push([path, shown(a), shown(b)]); return; }
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  out.push([path + '[' + at + ':]', quote(a.slice(at, at + 40)), quote(b.slice(at, at + 40))]);
};
let copies = new Map(), texts = new Map();
const told = new Map();
const forgotten = name => { const gone = [...told.get(name) ?? []].map(path => [name + path, null, null]); told.delete(name); return gone; };
const more = (name, n, isHidden) => n > 0 && isHidden ? [[name + '[…]', n + ' changed parts', null]] : [];
// Of an object of Node with many changes, only its own public members are told.
const isOwnPart = path => /^\.[a-zA-Z$][\w$]*$/.test(path);
// The text of an object of Node that was there before (isSame) stays if its changed parts are told.
const changes = (name, a, b, each, isSame) => {
  let out = [];
  const known = told.get(name) ?? new Set();
  differ(a, b, '', out);
  const {length} = out, isLost = length > 0 && out[0][0] === '' || length >= FOUND, before = texts.get(name);
  if (isSame && !isLost && b instanceof Part) each[2] = before;
  const isHidden = each[2] === before;
  if (isLost) return [...forgotten(name), ...more(name, length, isHidden)];
  const stale = [...known].filter(path => out.some(([each]) => each !== path && path.startsWith(each)));
  for (const path of stale) known.delete(path);
  const gone = stale.map(path => [name + path, null, null]);
  if (!isHidden && !out.some(([path]) => known.has(path))) return gone;
  if (isSame && length > TOLD) out = out.filter(([path]) => isOwnPart(path) || known.has(path));
  const listed = [...out.slice(0, TOLD), ...out.slice(TOLD).filter(([path]) => known.has(path))];
  for (const [path] of listed) known.add(path);
  told.set(name, known);
  return [...gone, ...listed.map(([path, x, y]) => [name + path, y, x]), ...more(name, length - listed.length, true)];
};
const made = v => { whole = true; try { return [copy(v, DEEPEST, []), whole, typeof v === 'object' && v !== null ? idOf(v) : 0]; } catch { return undefined; } };
// Compares the values of a line, as name, value and text, with those of the line before.
return values => {
  const changed = [], compared = [], now = new Map(), shownNow = new Map();
  for (const each of values) {
    const [name, v, t] = each;
    shownNow.set(name, t);
    if (!/[…(]/.test(t) && !told.has(name)) continue;
    const one = made(v), last = copies.get(name);
    now.set(name, one);
    if (one === undefined || last === undefined) { changed.push(...forgotten(name)); continue; }
    changed.push(...changes(name, last[0], one[0], each, last[2] === one[2] && texts.has(name) && isForeign(v)));
    shownNow.set(name, each[2]);
    if (last[1] && one[1]) compared.push(name);
  }
  for (const name of [...told.keys()]) if (!now.has(name)) changed.push(...forgotten(name));
  copies = now;
  texts = shownNow;
  return [changed, compared];
};
})()`;
