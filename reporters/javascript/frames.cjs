'use strict';
const { isOwn, pathOf } = require('./places.cjs');

const STACK_LINE =
  /^[ \t]+at (?:(.{0,300}?) \(|async )?((?:file:|\/|[A-Za-z]:[\\/]).{0,1000}?):(\d+):(\d+)\)?$/gm;

/** Matches the end of the place of code that was made by `eval` in a file. */
const MADE = /\), <anonymous>$/;

/** Returns the frames of a stack in V8's format, innermost first. */
function framesInStack(stack) {
  return [...stack.matchAll(STACK_LINE)]
    .map(([, name = '', file, line, column]) => ({
      ...{ name, path: pathOf(file), line: Number(line), column: Number(column) },
    }))
    .filter(({ path }) => !MADE.test(path));
}

/**
 * Adds the values of recorded frames to the frames that a runner shows. The runner's places win: an error may have been
 * created elsewhere than it was thrown.
 * @param records the frames of each time that the error was thrown, with the place in the script and in its source
 * @param stack the frames of the runner
 * @param raw the frames of the runtime, if the runner maps their places to the sources by itself
 */
function framesOf(records, stack, raw = []) {
  const used = new Set();
  const own = stack.filter(({ path }) => isOwn(path));
  const made = raw.filter(({ path }) => isOwn(path));
  const isPaired = own.length === made.length;
  const found = own.map(
    (frame, at) =>
      (isPaired ? takeFirst(records, used, made[at], isMadePlace) : undefined) ??
      takeFirst(records, used, frame, isSamePlace) ??
      takeFirst(records, used, frame, isSameFunction),
  );
  if (used.size === 0 && hasSameFiles(records[0], own))
    for (const [at, frame] of records[0].entries()) used.add((found[at] = frame));
  const frames = stack.map((frame) => {
    const values = found[own.indexOf(frame)];
    return values === undefined ? frame : { ...frame, ...valuesOf(values, frame) };
  });
  return [...frames, ...outerFrames(records, used)];
}

/** Whether recorded frames are those of a stack, although it is unknown how the runner maps their places. */
function hasSameFiles(record = [], own) {
  return (
    record.length > 0 &&
    record.length === own.length &&
    record.every(({ source, made }, at) => source.path === made.path && made.path === own[at].path)
  );
}

/** A runner may show the place in the compiled script. */
function valuesOf({ variables, omitted, source }, { path }) {
  return { ...(source.path === path ? {} : source), variables, omitted };
}

function isMadePlace({ made }, { path, line }) {
  return made.path === path && made.line === line;
}

function takeFirst(records, used, frame, isSame) {
  for (const frames of records) {
    const found = frames.find((candidate) => !used.has(candidate) && isSame(candidate, frame));
    if (found === undefined) continue;
    used.add(found);
    return found;
  }
  return undefined;
}

function isSamePlace({ made, source }, { path, line }) {
  return [source, made].some((place) => place.path === path && place.line === line);
}

function isSameFunction({ name, source, made }, frame) {
  const own = frame.name
    .replace(/^(?:async |new )+/, '')
    .replace(/ \[as [^]*/, '')
    .split('.')
    .at(-1);
  const isThere = source.path === frame.path || made.path === frame.path;
  return name !== '' && name === own && isThere;
}

/** The recorded frames outside of those that a stack shows. A stack has a limit. */
function outerFrames(records, used) {
  const [first = []] = records;
  const last = first.findLastIndex((frame) => used.has(frame));
  return first.slice(last + 1).map(({ name, source, variables, omitted }) => ({
    ...{ name: name === '' ? '<anonymous>' : name, ...source, variables, omitted },
  }));
}

module.exports = { framesInStack, framesOf };
