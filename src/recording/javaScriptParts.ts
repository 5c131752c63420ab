/**
 * The part of the recorder that compares the contents of values whose text shows only a part, from one line of a call to
 * the next. It keeps copies of primitives and the shape of what holds them, never an object of the program. It runs no
 * code of the program, and expects the functions of the recorder around it.
 */
export const JAVASCRIPT_PARTS = String.raw`(() => {
// The elements of one value, the levels of members, the members of one call, and the parts that are told and looked for.
const MOST = 20000, DEEPEST = 6, TOLD = 3, FOUND = 500, {ownKeys} = Reflect, {getOwnPropertyNames, getOwnPropertySymbols} = Object, LIST = 0, KEYED = 1, FIELDS = 2;
const types = util?.types ?? {}, code = Function.prototype.toString;
let work = 2e6, whole = true, exact = true, count = 0;
const ids = new WeakMap(), hiding = new WeakMap(), kinds = new WeakMap();
const idOf = o => { let n = ids.get(o); if (n === undefined) ids.set(o, n = count += 1); return n; };
class Leaf { constructor(id, shown) { this.id = id; this.shown = shown; } }
// The elements of a list, or the names and values of members, and the identity of the prototype.
class Part {
  constructor(mark, names, items, above) { this.mark = mark; this.names = names; this.items = items; this.above = above; }
  get members() { const all = Object.create(null); for (let i = 0; i < this.names.length; i++) all[this.names[i]] = this.items[i]; return all; }
}
const ABSENT = new Leaf('absent', 'absent');
// A leaf of whose contents more may be shown than is known.
const leaf = (id, shown, old) => { exact = false; return old instanceof Leaf && old.id === id && old.shown === shown ? old : new Leaf(id, shown); };
const opaque = (v, shown, old) => { whole = false; return leaf(idOf(v), shown, old); };
// Objects whose contents are not in their properties.
const HIDDEN = ['isPromise', 'isWeakMap', 'isWeakSet', 'isNativeError', 'isBoxedPrimitive', 'isAnyArrayBuffer', 'isDataView', 'isGeneratorObject', 'isMapIterator', 'isSetIterator', 'isExternal', 'isModuleNamespaceObject', 'isArgumentsObject'];
const hidden = HIDDEN.flatMap(name => types[name] ?? []);
// Whether the classes of an object may have private fields, which nothing shows.
const hides = v => {
  for (let p = above(v); p !== null && p !== Object.prototype; p = above(p)) {
    if (isProxy(p)) return true;
    const c = has(p, 'constructor');
    if (typeof c !== 'function' || isProxy(c)) continue;
    let found = hiding.get(c);
    if (found === undefined) hiding.set(c, found = (tryIt(() => code.call(c)) ?? '#').includes('#'));
    if (found) return true;
  }
  return false;
};
// What an object is never changes. Its properties and its prototype do.
const PROXY = 0, ARRAY = 1, MAP = 2, SET = 3, TYPED = 4, DATE = 5, REGEXP = 6, OPAQUE = 7, PLAIN = 8;
const kindOf = v => {
  let kind = kinds.get(v);
  if (kind === undefined) kinds.set(v, kind = foundKind(v));
  return kind;
};
const foundKind = v => {
  if (isProxy(v)) return PROXY;
  if (isArray(v)) return ARRAY;
  if (isMap(v)) return MAP;
  if (isSet(v)) return SET;
  if (typedTag.call(v) !== undefined) return TYPED;
  if (isDate(v)) return DATE;
  if (types.isRegExp?.(v)) return REGEXP;
  return hidden.some(is => is(v)) || util === undefined ? OPAQUE : PLAIN;
};
// The objects that contain the one that is copied.
const seen = [];
// A copy of a value. It is the old one if nothing has changed.
const copy = (v, depth, old) => {
  if ((work -= 1) < 0) throw 0;
  if (typeof v === 'function') return isProxy(v) ? opaque(v, '[Proxy]', old) : leaf(idOf(v), 'ƒ', old);
  if (typeof v !== 'object' || v === null) return v;
  const kind = kindOf(v);
  if (kind === PROXY) return opaque(v, '[Proxy]', old);
  const at = seen.indexOf(v);
  if (at >= 0) return leaf('^' + at, '…', old);
  if (depth === 0) throw 0;
  seen.push(v);
  try { return contents(v, kind, depth - 1, old); } finally { seen.pop(); }
};
const contents = (v, kind, depth, old) => {
  switch (kind) {
    case ARRAY: return elements(v, depth, old);
    case MAP: return keyed(v, mapEach, depth, old);
    case SET: return keyed(v, setEach, depth, old);
    case TYPED: return numbers(v, old);
    case DATE: { const t = time.call(v); return leaf('date ' + t, t === t ? iso.call(v) : 'Invalid Date', old); }
    case REGEXP: return leaf(source.call(v), '/' + source.call(v) + '/', old);
    case OPAQUE: return opaque(v, '<object>', old);
  }
  if (hides(v)) whole = false;
  return fields(v, depth, old);
};
const member = (v, k, depth, old) => {
  const d = own(v, k);
  if (d === undefined) return ABSENT;
  if (!d.enumerable) exact = false;
  if ('value' in d) return copy(d.value, depth, old);
  whole = false;
  return leaf('getter', '(getter)', old);
};
const protoOf = v => { const p = above(v); return p === Object.prototype ? 0 : p === null ? -1 : idOf(p); };
// The old part of the same object, as far as it can be the same again.
const before = (mark, n, proto, old) => old instanceof Part && old.mark === mark && old.above === proto && old.items.length === n ? old : undefined;
// The old part, if it is the same.
const part = (mark, names, items, v, old) => {
  const proto = protoOf(v), same = before(mark, items.length, proto, old);
  if (same === undefined) return new Part(mark, names, items, proto);
  for (let i = 0; i < items.length; i++) if (!Object.is(items[i], same.items[i]) || names !== undefined && names[i] !== same.names[i]) return new Part(mark, names, items, proto);
  return same;
};
const elements = (v, depth, old) => {
  const n = has(v, 'length'), proto = protoOf(v);
  if (n > MOST) throw 0;
  const same = before(LIST, n, proto, old), known = old instanceof Part ? old.items : undefined;
  // The elements are listed again from the first one that has changed.
  let items = same === undefined ? [] : undefined;
  for (let i = 0; i < n; i++) {
    const x = member(v, i, depth, known?.[i]);
    if (items !== undefined) items.push(x);
    else if (!Object.is(x, known[i])) { items = known.slice(0, i); items.push(x); }
  }
  if (ownKeys(v).length > n + 1) whole = exact = false;
  return items === undefined ? same : new Part(LIST, undefined, items, proto);
};
const numbers = (v, old) => {
  const n = typedLength.call(v), items = [];
  if (n > MOST || (work -= n >> 2) < 0) throw 0;
  for (let i = 0; i < n; i++) items.push(v[i]);
  return part(LIST, undefined, items, v, old);
};
const keyText = k => typeof k === 'object' && k !== null || typeof k === 'function' ? 'object ' + idOf(k) : typeof k === 'symbol' ? str(k) : cut(primitive(k), 40) + (typeof k === 'string' && k.length > 40 ? '#' + k : '');
const keyed = (v, each, depth, old) => {
  const names = [], items = [], before = old instanceof Part ? old.items : undefined;
  each.call(v, (x, k) => {
    if (names.length >= MOST) throw 0;
    if (typeof k === 'object' && k !== null || typeof k === 'function') exact = false;
    items.push(copy(x, depth, before?.[names.length]));
    names.push(keyText(k));
  });
  return part(KEYED, names, items, v, old);
};
// The own keys, as \`Reflect.ownKeys\` lists them, which takes four times as long.
const namesOf = v => {
  const names = getOwnPropertyNames(v), symbols = getOwnPropertySymbols(v);
  return symbols.length === 0 ? names : names.concat(symbols);
};
const fields = (v, depth, old) => {
  const names = namesOf(v), proto = protoOf(v), n = names.length;
  if (n > MOST) throw 0;
  const same = before(FIELDS, n, proto, old), known = old instanceof Part ? old.items : undefined;
  let items = same === undefined ? [] : undefined;
  for (let i = 0; i < n; i++) {
    const x = member(v, names[i], depth, known?.[i]);
    if (typeof names[i] !== 'string') names[i] = str(names[i]);
    if (items !== undefined) items.push(x);
    else if (!Object.is(x, known[i]) || names[i] !== same.names[i]) { items = known.slice(0, i); items.push(x); }
  }
  return items === undefined ? same : new Part(FIELDS, names, items, proto);
};
const counted = items => items.length === 0 ? '[]' : '[… ' + items.length + ', ' + shown(items[items.length - 1]) + ']';
const shown = a => a instanceof Leaf ? a.shown : a instanceof Part ? (a.mark === LIST ? counted(a.items) : '{… ' + keys(a.members).length + '}') : cut(primitive(a), 80);
const same = (a, b) => a instanceof Leaf && b instanceof Leaf ? a.id === b.id : Object.is(a, b);
const differ = (a, b, path, out) => {
  if (out.length >= FOUND || Object.is(a, b)) return;
  if (!(a instanceof Part) || !(b instanceof Part) || a.mark !== b.mark) { if (!same(a, b)) atoms(a, b, path, out); return; }
  if (a.mark === LIST) {
    if (a.items.length !== b.items.length) { out.push([path, counted(a.items), counted(b.items)]); return; }
    for (let i = 0; i < a.items.length; i++) if (!Object.is(a.items[i], b.items[i])) differ(a.items[i], b.items[i], path + '[' + i + ']', out);
    return;
  }
  const [one, other] = [a.members, b.members];
  for (const k of keys({...one, ...other})) differ(k in one ? one[k] : ABSENT, k in other ? other[k] : ABSENT, path + (a.mark === FIELDS && /^[\w$]+$/.test(k) ? '.' + k : '[' + cut(k, 60) + ']'), out);
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
  if (Object.is(a, b)) {
    if (isSame && b instanceof Part) each[2] = texts.get(name);
    if (each[2] === texts.get(name)) told.set(name, known);
    return [];
  }
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
const made = (v, old) => {
  whole = exact = true;
  seen.length = 0;
  try { return [copy(v, DEEPEST, old?.[0]), whole, typeof v === 'object' && v !== null ? idOf(v) : 0, exact]; } catch { return undefined; }
};
// What was made ahead for the next line, and the texts before those of objects of Node were kept.
let ahead = new Map(), raw = new Map();
return {
  // The text of a value, which is that of the line before if its contents are the same.
  text: (name, v) => {
    const last = copies.get(name), before = raw.get(name);
    let t;
    if (last !== undefined && last[3] && before !== undefined && typeof v === 'object' && v !== null && idOf(v) === last[2]) {
      const one = made(v, last);
      ahead.set(name, one);
      if (one !== undefined && one[3] && one[0] === last[0]) t = before;
    }
    raw.set(name, t ??= text(v));
    return t;
  },
  // Compares the values of a line, as name, value and text, with those of the line before.
  line: values => {
    const changed = [], compared = [], now = new Map(), shownNow = new Map();
    for (const each of values) {
      const [name, v, t] = each;
      shownNow.set(name, t);
      if (!/[…(]/.test(t) && !told.has(name)) continue;
      const last = copies.get(name), one = ahead.has(name) ? ahead.get(name) : made(v, last);
      now.set(name, one);
      if (one === undefined || last === undefined) { changed.push(...forgotten(name)); continue; }
      changed.push(...changes(name, last[0], one[0], each, last[2] === one[2] && texts.has(name) && isForeign(v)));
      shownNow.set(name, each[2]);
      if (last[1] && one[1]) compared.push(name);
    }
    for (const name of [...told.keys()]) if (!now.has(name)) changed.push(...forgotten(name));
    ahead = new Map();
    copies = now;
    texts = shownNow;
    return [changed, compared];
  },
};
})()`;
