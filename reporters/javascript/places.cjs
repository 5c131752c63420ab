'use strict';
const { readFileSync } = require('node:fs');
const { SourceMap } = require('node:module');
const path = require('node:path');
const { fileURLToPath, pathToFileURL } = require('node:url');

/** Whether a script may be the person's own code. The extension decides it finally. */
function isOwn(url) {
  if (url === '' || url.startsWith('node:') || /[\\/]node_modules[\\/]/.test(url)) return false;
  const file = pathOf(url);
  return path.isAbsolute(file) && !file.startsWith(__dirname);
}

/** Returns the path of a script. Runners append a query to load a module again. */
function pathOf(url) {
  try {
    return url.startsWith('file:') ? fileURLToPath(url) : url.replace(/[?#][^]*/, '');
  } catch {
    return url;
  }
}

/** Finds the places in the sources of compiled scripts. */
class Places {
  /** @param scriptOf returns the script with an id: its `url` and its `sourceMapURL` */
  constructor(scriptOf) {
    this.scriptOf = scriptOf;
    this.maps = new Map();
  }

  /** Returns the path and the line, 1-based, of a place in a script, and of its source. */
  of({ scriptId, line, column }) {
    const script = this.scriptOf(scriptId);
    const made = { path: pathOf(script?.url ?? ''), line: line + 1 };
    const source = this.sourceOf(script, line, column) ?? shownPlace(script?.url, line, column);
    return { made, source: source ?? made };
  }

  sourceOf(script, line, column) {
    const map = this.mapOf(script);
    const entry = map?.findEntry(line, column) ?? {};
    if (entry.originalSource === undefined) return undefined;
    return {
      path: resolved(entry.originalSource, script.url),
      line: entry.originalLine + 1,
    };
  }

  mapOf(script) {
    if (script === undefined || !script.sourceMapURL) return undefined;
    if (!this.maps.has(script.scriptId)) this.maps.set(script.scriptId, readMap(script));
    return this.maps.get(script.scriptId);
  }
}

/**
 * A call site with only a place. Runners that keep the source maps to themselves map the places of stacks by
 * `Error.prepareStackTrace`.
 */
class Site {
  #at;

  constructor(at) {
    this.#at = at;
  }

  getFileName() {
    return this.#at.url;
  }

  getScriptNameOrSourceURL() {
    return this.#at.url;
  }

  getLineNumber() {
    return this.#at.line + 1;
  }

  getColumnNumber() {
    return this.#at.column + 1;
  }

  getFunctionName() {
    return 'at';
  }

  toString() {
    return `at (${this.#at.url}:${this.#at.line + 1}:${this.#at.column + 1})`;
  }
}

for (const name of [
  'This',
  'TypeName',
  'Function',
  'MethodName',
  'EvalOrigin',
  'PromiseIndex',
  'ScriptHash',
  'EnclosingLineNumber',
  'EnclosingColumnNumber',
  'Position',
])
  Site.prototype[`get${name}`] = () => undefined;
for (const name of ['Toplevel', 'Eval', 'Native', 'Constructor', 'Async', 'PromiseAll'])
  Site.prototype[`is${name}`] = () => false;

function shownPlace(url, line, column) {
  const { prepareStackTrace } = Error;
  if (url === undefined || typeof prepareStackTrace !== 'function') return undefined;
  // The inspector turns the paths of scripts into addresses.
  for (const name of new Set([pathOf(url), url])) {
    const found = shownBy(prepareStackTrace, { url: name, line, column });
    if (found !== undefined && (found.path !== pathOf(url) || found.line !== line + 1))
      return found;
  }
  return undefined;
}

function shownBy(prepareStackTrace, at) {
  try {
    const text = String(prepareStackTrace(new Error('place'), [new Site(at)]));
    const [, file, number] = SHOWN_SITE.exec(text) ?? [];
    return file === undefined ? undefined : { path: pathOf(file), line: Number(number) };
  } catch {
    return undefined;
  }
}

const SHOWN_SITE =
  /\n[ \t]+at (?:.{0,300}? \()?((?:file:|\/|[A-Za-z]:[\\/]).{0,1000}?):(\d+):\d+\)?\s*$/;

function readMap({ url, sourceMapURL }) {
  try {
    const data = /^data:[^,]*?(;base64)?,/.exec(sourceMapURL);
    const rest = data === null ? '' : sourceMapURL.slice(data[0].length);
    const text =
      data === null
        ? readFileSync(path.resolve(path.dirname(pathOf(url)), decodeURI(sourceMapURL)), 'utf8')
        : data[1] === undefined
          ? decodeURIComponent(rest)
          : Buffer.from(rest, 'base64').toString();
    return new SourceMap(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function resolved(source, url) {
  if (source.startsWith('file:')) return pathOf(source);
  if (path.isAbsolute(source)) return source;
  if (/^[a-z][\w+.-]+:/i.test(source)) return source;
  try {
    const base = url.startsWith('file:') ? url : pathToFileURL(pathOf(url)).href;
    return pathOf(new URL(source, base).href);
  } catch {
    return source;
  }
}

module.exports = { isOwn, pathOf, Places };
