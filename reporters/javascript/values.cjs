'use strict';
const { types } = require('node:util');

const MAX_OF_A_VALUE = 400;
const MAX_OF_A_TEXT = 200;
const MAX_MEMBERS = 12;
const MAX_DEPTH = 3;

/**
 * Returns the text of a variable. No code of the program runs for it: no getter, no proxy, no `toString`. Undefined for
 * values that do not help to explain a failure: functions, classes and modules.
 */
function rendered(value) {
  if (typeof value === 'function' || isModule(value)) return undefined;
  try {
    return cut(textOf(value, 0, new Set()), MAX_OF_A_VALUE);
  } catch {
    return '<not readable>';
  }
}

function isModule(value) {
  if (typeof value !== 'object' || value === null || types.isProxy(value)) return false;
  if (types.isModuleNamespaceObject(value)) return true;
  return dataOf(value, '__esModule') === true || isDefault(value) || hasFunctions(value);
}

/** Whether an object is what compilers make of the exports of a module that has only one. */
function isDefault(value) {
  const [name, ...others] = Object.keys(value);
  return name === 'default' && others.length === 0 && typeof dataOf(value, name) === 'function';
}

/** Whether most members are functions, as in the exports of a module. */
function hasFunctions(value) {
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return false;
  const names = Object.keys(value).slice(0, 40);
  const functions = names.filter((name) => typeof dataOf(value, name) === 'function');
  return names.length > 2 && functions.length > names.length * 0.6;
}

function dataOf(object, name) {
  return Object.getOwnPropertyDescriptor(object, name)?.value;
}

function cut(text, most) {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

function textOf(value, depth, around) {
  switch (typeof value) {
    case 'string':
      return quoted(value);
    case 'bigint':
      return `${value}n`;
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value);
    case 'function':
      return functionText(value);
    case 'object':
      return value === null ? 'null' : objectText(value, depth, around);
    default:
      return String(value);
  }
}

function quoted(text) {
  const escaped = JSON.stringify(cut(text, MAX_OF_A_TEXT)).slice(1, -1);
  return `'${escaped.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

function functionText(value) {
  const name = types.isProxy(value) ? undefined : dataOf(value, 'name');
  return typeof name === 'string' && name !== '' ? `[Function: ${cut(name, 60)}]` : '[Function]';
}

function objectText(value, depth, around) {
  if (types.isProxy(value)) return 'Proxy';
  const name = nameOf(value);
  const simple = simpleText(value, name);
  if (simple !== undefined) return simple;
  if (around.has(value)) return '[Circular]';
  if (depth >= MAX_DEPTH) return Array.isArray(value) ? '[…]' : `${name ?? ''} {…}`.trim();
  around.add(value);
  const text = membersText(value, name, (member) => textOf(member, depth + 1, around));
  around.delete(value);
  return text;
}

function simpleText(value, name) {
  if (types.isDate(value)) return dateText(value);
  if (types.isRegExp(value)) return RegExp.prototype.toString.call(value);
  if (types.isNativeError(value)) {
    const message = dataOf(value, 'message');
    return typeof message === 'string'
      ? `${name ?? 'Error'}: ${cut(message, 200)}`
      : (name ?? 'Error');
  }
  if (types.isPromise(value)) return 'Promise';
  if (types.isBoxedPrimitive(value)) return `${name ?? 'Object'} object`;
  if (types.isAnyArrayBuffer(value)) return `${name ?? 'ArrayBuffer'}`;
  return undefined;
}

function dateText(value) {
  const time = Date.prototype.getTime.call(value);
  return Number.isNaN(time) ? 'Invalid Date' : new Date(time).toISOString();
}

function membersText(value, name, shown) {
  if (Array.isArray(value))
    return listText(
      '[',
      arrayMembers(value, shown),
      value.length,
      ']',
      name === 'Array' ? '' : name,
    );
  if (types.isTypedArray(value)) {
    const first = Array.prototype.slice.call(value, 0, MAX_MEMBERS);
    return listText('[', first.map(shown), value.length, ']', `${name}(${value.length})`);
  }
  if (types.isMap(value)) {
    const first = take(Map.prototype.entries.call(value));
    const size = sizeOf(Map.prototype, value);
    return listText(
      '{',
      first.map(([key, member]) => `${shown(key)} => ${shown(member)}`),
      size,
      '}',
      `${name}(${size})`,
    );
  }
  if (types.isSet(value)) {
    const size = sizeOf(Set.prototype, value);
    return listText(
      '{',
      take(Set.prototype.values.call(value)).map(shown),
      size,
      '}',
      `${name}(${size})`,
    );
  }
  const names = Object.keys(value);
  const members = names
    .slice(0, MAX_MEMBERS)
    .map((key) => `${keyText(key)}: ${member(value, key, shown)}`);
  return listText('{', members, names.length, '}', name === 'Object' ? '' : name);
}

function sizeOf(prototype, value) {
  return Object.getOwnPropertyDescriptor(prototype, 'size').get.call(value);
}

function take(iterator) {
  const members = [];
  for (const member of iterator) {
    if (members.length >= MAX_MEMBERS) break;
    members.push(member);
  }
  return members;
}

function arrayMembers(array, shown) {
  const members = [];
  for (let at = 0; at < Math.min(array.length, MAX_MEMBERS); at += 1)
    members.push(Object.hasOwn(array, at) ? member(array, String(at), shown) : 'empty');
  return members;
}

function member(object, key, shown) {
  const descriptor = Object.getOwnPropertyDescriptor(object, key);
  return descriptor === undefined || 'value' in descriptor ? shown(descriptor?.value) : '[Getter]';
}

function keyText(key) {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key);
}

function listText(open, members, length, close, name) {
  const all = length > members.length ? [...members, `… ${length - members.length} more`] : members;
  const inner = open === '{' && all.length > 0 ? ` ${all.join(', ')} ` : all.join(', ');
  return `${name === undefined || name === '' ? '' : `${name} `}${open}${inner}${close}`;
}

/** Returns the name of the class of an object, without reading a getter. */
function nameOf(value) {
  let object = value;
  for (let steps = 0; object !== null && steps < 20; steps += 1) {
    if (types.isProxy(object)) return undefined;
    const made = dataOf(object, 'constructor');
    if (typeof made === 'function' && !types.isProxy(made)) {
      const name = dataOf(made, 'name');
      if (typeof name === 'string' && name !== '') return cut(name, 60);
    }
    object = Object.getPrototypeOf(object);
  }
  return undefined;
}

module.exports = { nameOf, rendered };
