'use strict';
const { types } = require('node:util');
const { nameOf, rendered } = require('./values.cjs');

const MAX_NAMES = 40;
/** The number of lines before a place whose names come first, if there are too many names. */
const LINES_BEFORE = 8;

/** The names of module systems and compilers, which are no variables of the program. */
const HELPER =
  /^(?:exports|require|module|__filename|__dirname|arguments|this|_?jest|__vi.*|import_[\w$]+)$/;
/** The receivers that runners pass to the functions of tests. */
const OF_RUNNER = /^(?:Context|TestContext|SuiteContext|Test|Suite|UserContext)$/;

/**
 * Returns the texts of the variables of scopes, innermost first.
 * @param sourceOf returns the text of the script, if the names are too many
 * @param line the line in it, 0-based
 */
function variablesIn(scopes, sourceOf = () => '', line = 0) {
  const owners = new Map();
  for (const scope of scopes)
    for (const name of Object.keys(scope)) if (!owners.has(name)) owners.set(name, scope);
  const names = [...owners.keys()].filter(
    (name) => !HELPER.test(name) && isSet(owners.get(name), name),
  );
  const variables = [];
  let omitted = 0;
  for (const name of names.length > MAX_NAMES ? usedFirst(names, sourceOf(), line) : names) {
    const text = rendered(owners.get(name)[name]);
    if (text === undefined || variables.length >= MAX_NAMES) omitted += 1;
    else variables.push([name, text]);
  }
  return { variables, omitted };
}

/** Whether a variable has a value yet. Later versions of V8 throw for the others. */
function isSet(scope, name) {
  try {
    void scope[name];
    return true;
  } catch {
    return false;
  }
}

function usedFirst(names, source, line) {
  const near = source.split('\n').slice(Math.max(0, line - LINES_BEFORE), line + 1);
  const used = new Set(near.join('\n').match(/[A-Za-z_$][\w$]*/g) ?? []);
  return [...names.filter((name) => used.has(name)), ...names.filter((name) => !used.has(name))];
}

/** Returns the text of a receiver. Undefined for those of runners, and for empty ones. */
function receiverText(value) {
  if (typeof value !== 'object' || value === null || types.isProxy(value)) return undefined;
  const isEmpty = Object.keys(value).length === 0 || value === globalThis;
  return isEmpty || OF_RUNNER.test(nameOf(value) ?? '') ? undefined : rendered(value);
}

module.exports = { receiverText, variablesIn };
