import type { SourceFunction } from './sourceFunction';

/** The maximum number of variables for each function. Each one is read at each line. */
const MAX_VARIABLES = 12;

/** Adds the variables of a Go file that the functions in it mention, those first that a function may change. */
export function withGoVariables(
  functions: readonly SourceFunction[],
  text: string,
): readonly SourceFunction[] {
  const variables = goVariables(text);
  if (variables.length === 0) return functions;
  const lines = text.split('\n');
  return functions.map((found) => {
    const code = lines.slice(found.start - 1, found.end).join('\n');
    const words = new Set(code.match(WORDS));
    const changed = new Set([...code.matchAll(CHANGED)].map(([, name = '']) => name));
    const captured = variables
      .filter((name) => words.has(name) && !isOwn(found, name))
      .sort((one, other) => Number(changed.has(other)) - Number(changed.has(one)));
    return {
      ...found,
      captured: captured.slice(0, MAX_VARIABLES),
      capturedLeftOut: Math.max(0, captured.length - MAX_VARIABLES),
    };
  });
}

function isOwn({ parameters, locals = [] }: SourceFunction, name: string): boolean {
  return locals.includes(name) || parameters.some((parameter) => parameter.name === name);
}

const WORDS = /[\p{L}_][\p{L}\p{N}_]*/gu;
/** Matches a name in front of an assignment, a member, an index, or another name of a list. */
const CHANGED =
  /(?<![\p{L}\p{N}_.])([\p{L}_][\p{L}\p{N}_]*)[ \t]*(?:[[.,]|\+\+|--|(?:<<|>>|&\^|[-+*/%&|^])?=(?!=))/gu;

/** Returns the variables of a Go file. `gofmt` puts their declarations at the beginning of a line. */
function goVariables(text: string): readonly string[] {
  const names = new Set<string>();
  let isBlock = false;
  for (const line of text.split('\n')) {
    if (isBlock && line.startsWith(')')) isBlock = false;
    else if (/^var[ \t]*\(/.test(line)) isBlock = true;
    const declared = isBlock ? /^\t(?![ \t])(.*)/.exec(line) : /^var[ \t]+(.*)/.exec(line);
    for (const name of namesIn(declared?.[1] ?? '')) if (name !== '_') names.add(name);
  }
  return [...names];
}

/** Returns the names of a list that begins a declaration. A type may follow the last one. */
function namesIn(list: string): readonly string[] {
  const names: string[] = [];
  for (const part of list.split(',')) {
    const [, name, rest = ''] = /^\s*([\p{L}_][\p{L}\p{N}_]*)(.*)/su.exec(part) ?? [];
    if (name === undefined) break;
    names.push(name);
    if (rest.trim() !== '') break;
  }
  return names;
}
