import { ASYNC_CALL } from './javaScriptAsyncCall';
import { JAVASCRIPT_PARTS } from './javaScriptParts';

/**
 * The reader of values: `p` passes on a primitive, and `m` reads a member. Both throw if that would run code of the
 * program. The code expects `own`, `above` and `isProxy`.
 */
const READER = String.raw`{
  p: v => { if (typeof v === 'object' && v !== null || typeof v === 'function') throw 0; return v; },
  m: (o, k, optional) => {
    if (o === undefined || o === null) { if (optional) return undefined; throw 0; }
    for (let p = Object(o); p !== null; p = above(p)) {
      if (isProxy(p)) throw 0;
      const d = own(p, k);
      if (d !== undefined) { if (!('value' in d)) throw 0; return d.value; }
    }
    return undefined;
  },
}`;

/**
 * Returns an expression that reads a value with the reader `g`, in the scope of a stopped frame. It fails where the
 * reader throws.
 */
export function javaScriptRead(code: string): string {
  return `(g => ${code})(((own, above, isProxy) => (${READER}))(Object.getOwnPropertyDescriptor, Object.getPrototypeOf, ${IS_PROXY}))`;
}

/** Without Node's module `util`, every object may be a proxy, so the program's code could run. */
const IS_PROXY = `(() => { try { return process.getBuiltinModule('util').types.isProxy; } catch {} try { return process.mainModule.require('util').types.isProxy; } catch {} return () => true; })()`;

/**
 * The code that runs in the debugged JavaScript program: a function that takes its settings and returns the recorder.
 * It runs no code of the program except the expressions that the person has approved. It describes values without
 * calling getters, proxy traps or `toString`.
 */
export const JAVASCRIPT_RECORDER = String.raw`(C => {
const {getOwnPropertyDescriptor: own, getPrototypeOf: above, keys, defineProperty} = Object, str = String, {isArray} = Array;
const quote = JSON.stringify, cut = (t, n) => t.length <= n ? t : t.slice(0, n) + '…';
const builtin = name => {
  try { if (typeof process.getBuiltinModule === 'function') return process.getBuiltinModule(name); } catch {}
  try { return process.mainModule.require(name); } catch {}
};
const fs = builtin('fs'), util = builtin('util'), worker = builtin('worker_threads'), isProxy = util?.types?.isProxy ?? (() => false);
const open = fs?.openSync, write = fs?.writeSync, closeFile = fs?.closeSync;
const size = (p, k) => own(p.prototype, k).get, mapSize = size(Map, 'size'), setSize = size(Set, 'size');
const mapEach = Map.prototype.forEach, setEach = Set.prototype.forEach, iso = Date.prototype.toISOString, time = Date.prototype.getTime;
const typed = above(Uint8Array), typedLength = size(typed, 'length'), typedTag = own(typed.prototype, Symbol.toStringTag).get;
const source = size(RegExp, 'source'), flags = size(RegExp, 'flags'), has = (p, k) => { const d = own(p, k); return d !== undefined && 'value' in d ? d.value : undefined; };
let most = Math.max(C.text - 40, 10), room = Infinity;
const tryIt = f => { try { return f(); } catch {} };
// Without Node's module, an exception tells what an object is not, which takes far longer.
const checks = (name, f) => util?.types?.[name] ?? (v => tryIt(() => f.call(v)) !== undefined);
const isMap = checks('isMap', mapSize), isSet = checks('isSet', setSize), isDate = checks('isDate', time);
const named = v => {
  for (let p = v, i = 0; p !== null && i < 5 && !isProxy(p); p = above(p), i++) {
    const c = has(p, 'constructor');
    if (typeof c === 'function' && !isProxy(c)) { const n = has(c, 'name'); return typeof n === 'string' ? n : ''; }
  }
  return '';
};
const primitive = v => {
  switch (typeof v) {
    case 'string': return v.length <= most ? quote(v) : quote(v.slice(0, most)) + '… (' + v.length + ' characters)';
    case 'bigint': return v > 10n ** 400n || v < -(10n ** 400n) ? '(a large bigint)' : str(v) + 'n';
    case 'number': return Object.is(v, -0) ? '-0' : str(v);
    case 'symbol': return str(v);
    case 'function': return isProxy(v) ? '[Proxy]' : (/^class\b/.test(tryIt(() => Function.prototype.toString.call(v).slice(0, 6)) ?? '') ? 'class ' : 'ƒ ') + (typeof has(v, 'name') === 'string' ? has(v, 'name') : '');
    default: return str(v);
  }
};
const rest = (parts, n) => { if (n > parts.length) parts.push('… ' + (n - parts.length) + ' more'); return parts.join(', '); };
const brief = (v, depth, seen) => {
  if ((room -= 1) < 0) throw 0;
  if (typeof v !== 'object' || v === null) return primitive(v);
  if (isProxy(v)) return '[Proxy]';
  if (seen.includes(v)) return '…';
  return object(v, depth, [...seen, v]);
};
const property = (v, k, depth, seen) => { const d = own(v, k); return d === undefined ? '' : 'value' in d ? brief(d.value, depth - 1, seen) : '(getter)'; };
const listed = (v, n, name, depth, seen) => {
  if (depth === 0 && n > 0) return name + '(' + n + ')';
  const parts = [];
  for (let i = 0; i < n && i < C.items; i++) parts.push(property(v, i, depth, seen));
  return (name === 'Array' ? '' : name + ' ') + '[' + rest(parts, n) + ']';
};
const collected = (v, name, n, forEach, depth, seen) => {
  if (depth === 0 && n > 0) return name + '(' + n + ')';
  const parts = [];
  tryIt(() => forEach.call(v, (x, k) => {
    if (parts.length === C.items) throw 0;
    parts.push(forEach === mapEach ? brief(k, 0, seen) + ' => ' + brief(x, depth - 1, seen) : brief(x, depth - 1, seen));
  }));
  return name + ' {' + rest(parts, n) + '}';
};
// The modules whose objects many programs pass on, and the classes that are known to be theirs or not.
const MODULES = ['events', 'stream', 'net', 'http', 'fs', 'child_process'], ofNode = new WeakMap(), emitter = C.telling && builtin('events')?.prototype;
const exportedBy = (m, c) => process.moduleLoadList?.includes('NativeModule ' + m) && keys(builtin(m) ?? {}).some(k => has(builtin(m), k) === c);
const isForeign = v => {
  if (!emitter || typeof v !== 'object' || v === null) return false;
  let c, p = v;
  for (let i = 0; p !== null && p !== emitter && i < 12 && !isProxy(p); p = above(p), i++) c ??= has(p, 'constructor');
  if (p !== emitter || typeof c !== 'function') return false;
  let found = ofNode.get(c);
  if (found === undefined) ofNode.set(c, found = MODULES.some(m => tryIt(() => exportedBy(m, c)) === true));
  return found;
};
// How much a member says: the lower, the more. Not enough: 9.
const SHORT = 40, within = (n, most) => n > 0 && n <= most ? 0 : 9;
const rank = x => {
  if (typeof x === 'string') return within(x.length, SHORT);
  if (typeof x === 'number') return x ? 1 : 9;
  if (typeof x !== 'object' || x === null || isProxy(x)) return 9;
  return isArray(x) ? within(has(x, 'length'), 3) : above(x) === null || above(x) === Object.prototype ? within(keys(x).length, 3) : 9;
};
// The members of an object of Node that say most.
const telling = (v, all, depth, seen) => {
  const parts = [];
  let length = 0;
  const ranked = all.map(k => [k, k[0] === '_' ? 9 : rank(has(v, k))]).filter(([, n]) => n < 9).sort(([, one], [, other]) => one - other);
  const shown = [];
  for (const [k, n] of ranked) {
    if (n > 0 && parts.length >= 3) break;
    const t = property(v, k, depth, seen);
    if (shown.includes(t) || t.length > SHORT + 2 || length + k.length + t.length > C.telling) continue;
    parts.push(k + ': ' + t);
    shown.push(t);
    length += k.length + t.length + 4;
  }
  return parts;
};
const object = (v, depth, seen) => {
  const name = named(v);
  if (isArray(v)) return listed(v, has(v, 'length'), name || 'Array', depth, seen);
  if (isMap(v)) return collected(v, name, mapSize.call(v), mapEach, depth, seen);
  if (isSet(v)) return collected(v, name, setSize.call(v), setEach, depth, seen);
  if (typedTag.call(v) !== undefined) return listed(v, typedLength.call(v), name, depth, seen);
  if (isDate(v)) return time.call(v) === time.call(v) ? iso.call(v) : 'Invalid Date';
  if (util?.types?.isRegExp?.(v)) return '/' + source.call(v) + '/' + (tryIt(() => flags.call(v)) ?? '');
  if (util?.types?.isNativeError?.(v)) return name + ': ' + str(has(v, 'message') ?? has(above(v), 'message') ?? '');
  if (util?.types?.isPromise?.(v)) return 'Promise';
  const all = keys(v), head = name === 'Object' || name === '' ? '' : name + ' ';
  if (depth === 0 && all.length > 0) return head + '{…}';
  const isShort = all.length > 3 && isForeign(v), parts = isShort ? telling(v, all, depth, seen) : [];
  for (let i = 0; i < all.length && i < C.items && !isShort; i++) parts.push(all[i] + ': ' + property(v, all[i], depth, seen));
  return head + '{' + rest(parts, all.length) + '}';
};
const text = v => { try { return cut(brief(v, C.depth, []), C.text); } catch { return '(not shown)'; } };
// The text of a value with wider limits, if the shown one may be a part. All these texts together are limited, too.
let membersLeft = 2e6, charactersLeft = 4e6;
const whole = (v, shown) => {
  if (C.oneCall || membersLeft <= 0 || charactersLeft <= 0 || !(shown.includes('…') || shown.includes('('))) return null;
  const {items} = C, before = most;
  try {
    C.items = 2000; most = 30000; room = 20000;
    const t = brief(v, 8, []);
    if (t.length > most) return null;
    charactersLeft -= t.length;
    return t;
  } catch { return null; } finally { membersLeft -= 20000 - room; room = Infinity; C.items = items; most = before; }
};
const failure = e => { try { return cut(typeof e === 'object' && e !== null && !isProxy(e) && util?.types?.isNativeError?.(e) ? (named(e) || 'Error') + ': ' + str(has(e, 'message') ?? '') : 'threw ' + text(e), C.text); } catch { return 'threw'; } };
const stack = most => {
  const limit = Error.stackTraceLimit, prepare = Error.prepareStackTrace;
  try {
    Error.stackTraceLimit = most;
    Error.prepareStackTrace = (_, sites) => sites;
    const sites = new Error().stack;
    return isArray(sites) ? sites : [];
  } finally { Error.stackTraceLimit = limit; if (prepare === undefined) delete Error.prepareStackTrace; else Error.prepareStackTrace = prepare; }
};
const frames = most => {
  // The recorder's own frames come first. They are evaluated code, which has no file.
  const sites = stack(most), first = sites.findIndex(s => s.getFileName());
  return first < 0 ? [] : sites.slice(first);
};
const maps = tryIt(() => builtin('module').findSourceMap);
// The place in the source, if the program has loaded a source map (\`module.findSourceMap\`, Node 18.18 and newer).
const origin = s => {
  const file = str(s.getFileName() ?? ''), line = s.getLineNumber();
  const found = maps && file !== '' ? tryIt(() => maps(file)?.findOrigin(line, s.getColumnNumber())) : undefined;
  return found && found.fileName ? [str(found.fileName), found.lineNumber] : [file, line];
};
const isShown = s => !str(s.getFileName() ?? '').startsWith('node:internal/');
const place = (s, whole) => {
  const [name, line] = origin(s), file = name.replace(/^file:\/\//, '');
  // Built-in functions, such as Array.forEach or Promise.all, have no file.
  if (file === '') return str(s).replace(/ \(.*$/, '');
  return (s.getFunctionName() ?? '(anonymous)') + ' (' + (whole ? file : file.replace(/^.*[\\/]/, '')) + ':' + line + ')';
};
let live = true, closed = false, busy = false, fd, seq = 0, hits = 0, bytes = 0;
const states = {}, state = id => states[id] ??= {passes: 0, refuted: false, reported: false, reached: false};
const line = row => {
  if (fs === undefined) throw 0;
  if (fd === undefined) {
    fd = open(C.folder + '/' + process.pid + '-' + Math.random().toString(36).slice(2) + Date.now().toString(36) + '.jsonl', 'ax', 0o600);
    write(fd, '["b",' + process.pid + ']\n');
  }
  const t = '[' + (seq += 1) + ',' + row + ']\n';
  bytes += t.length;
  write(fd, t);
};
const passed = (id, when) => {
  if (!when) return true;
  const s = state(id);
  try { if (when()) return true; } catch (e) { if (!s.reported) { s.reported = true; line('"e",' + id + ',' + quote(failure(e))); } }
  s.passes += 1;
  if ((s.passes & (s.passes - 1)) === 0) line('"p",' + id + ',' + s.passes);
  return false;
};
// A trace reads all names that its function has, some of which do not exist yet at the line. Elsewhere, such a name is an error.
const isMissing = (e, name) => C.oneCall && name && (e instanceof ReferenceError || name.includes('#'));
const value = ([get, name], wholes, seen, i) => { try { const v = get(), t = name && C.oneCall ? compare.text(name, v) : text(v); wholes.push(whole(v, t)); if (name) seen.push([name, v, t, i]); return t; } catch (e) { return isMissing(e, name) ? null : [unread(e)]; } };
const unread = e => failure(e) + (e instanceof ReferenceError && / is not defined$/.test(has(e, 'message')) ? ' (no such name here, or the function does not use and so not capture it)' : '');
const compare = ${JAVASCRIPT_PARTS};
// The values at the last hit of the chosen call, which can be read again when it has ended.
let recent = () => [];
const hit = (id, [when, stopWhen, claim, values, returns]) => {
  // Written first, because the evaluation that follows may never end.
  if (!state(id).reached) { state(id).reached = true; line('"s",' + id); }
  if (!passed(id, when)) return false;
  if (hits >= C.hits || bytes >= C.bytes) { live = false; line('"l",' + hits); return C.stopAtLimit; }
  hits += 1;
  if (C.oneCall) recent = () => values;
  const wholes = [], seen = [], texts = values.map((each, i) => { const t = value(each, wholes, seen, i); wholes[i] ??= null; return t; });
  const parts = C.oneCall ? tryIt(() => compare.line(seen)) : undefined;
  if (parts !== undefined) for (const [, , t, i] of seen) texts[i] = t;
  let stop = false, holds = null, stack = null;
  if (returns) try { texts.push(text(returns(reader))); } catch { stop = true; }
  if (claim) {
    try { holds = !!claim(); } catch (e) { holds = unread(e); }
    if (holds === false && !state(id).refuted) { state(id).refuted = true; stack = frames(40).filter(isShown).map(s => place(s, true)); stop = C.stopAtRefuted; }
  }
  if (stopWhen) try { stop = !!stopWhen() || stop; } catch (e) { stack ??= [failure(e)]; }
  const sites = C.oneCall ? [] : C.activations ? frames(20000) : C.callers ? frames(24) : [];
  const caller = C.callers && sites[1] ? place(sites[1], false) : null;
  // The place of the first hit, as the program knows it.
  const at = caller && !state(id).placed ? origin(sites[0]) : null;
  state(id).placed ||= at !== null;
  line(quote([id, worker === undefined || worker.isMainThread ? 'main' : 'worker ' + worker.threadId, C.activations ? sites.length : null, null, caller, stop, texts, holds, stack, at, ...(parts !== undefined ? [null, parts] : wholes.some(t => t !== null) ? [wholes] : [])]).slice(1, -1));
  return stop;
};
// The number of frames of the chosen call, the call itself, and the calls of its callees by others.
let only, mine = '', others = 0, called = 0, shown = 0;
const identity = s => s === undefined ? '' : str(s.getFileName()) + ' ' + str(s.getFunctionName());
const asyncCall = ${ASYNC_CALL};
let suspending;
const reader = ${READER};
let kept;
const read = get => tryIt(() => text(get(reader)));
const calledOrEnded = ([kind, one, two, three, four]) => {
  switch (kind) {
    case 'c':
      kept = undefined;
      line('"c",' + quote(one) + ',' + quote(two().flatMap(([n, v]) => { try { return [[n, text(v())]]; } catch { return []; } })) + ',' + four);
      if (three) line('"r",false,true,"Promise"');
      return;
    case 'r': {
      const before = kept !== undefined && kept[0] === one ? kept[1] : undefined;
      kept = undefined;
      const value = before ?? (two ? read(two) : undefined);
      const stops = three && value === undefined && (shown += 1) <= C.valueStops;
      line('"r",false,true,' + quote(value ?? null) + (stops ? ',null,true' : ''));
      return stops;
    }
    case 's': {
      const value = read(two);
      kept = value === undefined || three ? undefined : [one, value];
      if (three && value !== undefined) line('"r",false,true,' + quote(value));
      return;
    }
    case 't': line('"t",' + quote(cut(one, C.text)));
  }
};
// The values of names that were read together (found), or are read one by one (within), as \`hit\` expects them. A name
// without a value is known by its place: those that had one the last time are read together.
const lists = new Map(), present = new Map();
const listOf = names => {
  let all = lists.get(names);
  if (all === undefined) lists.set(names, all = names === '' ? [] : names.split(',').map(each => each[0] === '*' ? [each.slice(1), true] : [each, false]));
  return all;
};
const oneByOne = (all, within) => all.map(([name, isCaptured]) => [() => within(name), name, isCaptured]);
const known = (id, all, within) => {
  const had = present.get(id);
  if (had !== undefined) try {
    const found = within('[' + had.join() + ']');
    return all.map(([name, isCaptured]) => { const i = had.indexOf(name); return [i < 0 ? () => within(name) : () => found[i], name, isCaptured]; });
  } catch {}
  const having = [];
  present.set(id, having);
  return all.map(([name, isCaptured]) => [() => { const v = within(name); having.push(name); return v; }, name, isCaptured]);
};
const isAt = () => frames(only + 50).length === only;
return {
  // Only the call in which the program is stopped is recorded. It is identified by its depth.
  choose: (id, get) => {
    const all = frames(20000);
    only = all.length;
    mine = identity(all[0]);
    if (C.suspends && (suspending = asyncCall()) === undefined) return false;
    busy = true;
    try { hit(id, get()); return live; } catch { live = false; return false; } finally { busy = false; }
  },
  r: (...points) => {
    if (!live || busy) return false;
    if (C.oneCall && (only === undefined || !(suspending?.isAt ?? isAt)())) return false;
    busy = true;
    try { let stop = false; for (const [id, get] of points) stop = hit(id, get()) || stop; return stop; }
    // Nothing can be written. The program stops here once, so that the debugger notices.
    catch { live = false; return true; }
    finally { busy = false; }
  },
  // A line of the chosen call with names only, whose values were found if each has one.
  q: (id, names, within, found) => {
    if (!live || busy || only === undefined || !(suspending?.isAt ?? isAt)()) return false;
    busy = true;
    try {
      const all = listOf(names);
      const stop = hit(id, [0, 0, 0, found === undefined ? known(id, all, within) : all.map(([name, isCaptured], i) => [() => found[i], name, isCaptured])]);
      recent = () => oneByOne(all, within);
      return stop;
    } catch { live = false; return true; }
    finally { busy = false; }
  },
  // Only calls by the chosen call are reported: their stack is one frame longer. It stops the program only where the
  // debugger shows a value that cannot be read otherwise.
  k: (...points) => {
    if (!live || busy || only === undefined || others > C.hits || called > C.hits) return false;
    busy = true;
    let stops = false;
    try {
      const sites = frames(only + 51);
      if (sites.length !== only + 1 || identity(sites[1]) !== mine) others += 1;
      else { called += 1; for (const point of points) stops = calledOrEnded(point) === true || stops; }
      // The conditions would slow down a program that calls the functions very often.
      if (others > C.hits || called > C.hits) line('"o"');
    } catch {}
    finally { busy = false; }
    return stops;
  },
  // Whether the chosen call has been left: the stack is shorter than at its beginning.
  left: () => !closed && !busy && only !== undefined && (suspending?.isOver ?? (() => frames(only + 50).length < only))(),
  // Reports captured variables, and the objects among the others, again. Other values were copied at the last hit.
  last: () => {
    if (!live) return;
    busy = true;
    try {
      const known = {}, seen = [];
      for (const [get, name, isCaptured] of recent()) if (name) try {
        const v = get();
        const t = isCaptured || typeof v === 'object' && v !== null ? known[name] = text(v) : text(v);
        seen.push([name, v, t]);
      } catch {}
      const parts = tryIt(() => compare.line(seen)) ?? null;
      for (const [name, , t] of seen) if (name in known) known[name] = t;
      line('"v",' + quote([known, parts]).slice(1, -1));
    } catch {} finally { busy = false; }
  },
  close: () => { live = false; closed = true; suspending?.end(); if (fd !== undefined) closeFile(fd); fd = undefined; },
};
})`;
