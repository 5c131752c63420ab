import type { SourceFunction } from './sourceFunction';

/** The maximum number of variables for each function. Each one is read at each line. */
const MOST_VARIABLES = 8;

/** Adds the variables of a file that the functions in it mention, for languages without a syntax tree. */
export function withFileVariables<T extends SourceFunction>(
  functions: readonly T[],
  text: string,
  variablesOf: (text: string) => readonly string[],
  isOwn: (name: string, code: string) => boolean,
): readonly T[] {
  const variables = variablesOf(text);
  if (variables.length === 0) return functions;
  const lines = text.split('\n');
  return functions.map((found) => {
    const code = lines.slice(found.start - 1, found.end).join('\n');
    const words = new Set(code.match(WORDS));
    const captured = variables.filter(
      (name) =>
        words.has(name) &&
        !found.parameters.some((parameter) => parameter.name === name) &&
        found.locals?.includes(name) !== true &&
        !isOwn(name, code),
    );
    return { ...found, captured: captured.slice(0, MOST_VARIABLES) };
  });
}

const WORDS = /[\p{L}_][\p{L}\p{N}_]*/gu;

/** Returns the variables of a Go file. `gofmt` puts their declarations at the beginning of a line. */
export function goVariables(text: string): readonly string[] {
  const names = new Set<string>();
  let isBlock = false;
  for (const line of text.split('\n')) {
    if (isBlock && line.startsWith(')')) isBlock = false;
    else if (/^var[ \t]*\(/.test(line)) isBlock = true;
    const declared = isBlock ? /^\t(?![ \t])(.*)/.exec(line) : /^var[ \t]+(.*)/.exec(line);
    for (const name of namesIn(declared?.[1] ?? '')) names.add(name);
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

/** Returns the variables of a Python file, without its functions and classes. */
export function pythonVariables(text: string): readonly string[] {
  const assigned = text.matchAll(
    /^([\p{L}_][\p{L}\p{N}_]*(?:[ \t]*,[ \t]*[\p{L}_][\p{L}\p{N}_]*)*)[ \t]*(?::[^=\n]+)?=(?!=)/gmu,
  );
  return [...new Set([...assigned].flatMap(([, list = '']) => namesIn(list)))];
}

/** Whether a Python function has a variable of its own with a name. */
export function isPythonLocal(name: string, code: string): boolean {
  const isGlobal = [...code.matchAll(/\bglobal[ \t]+([^\n#]+)/g)].some(([, list = '']) =>
    namesIn(list).includes(name),
  );
  if (isGlobal) return false;
  const bound = [...code.matchAll(BOUND)].flatMap(([, ...names]) =>
    names.flatMap((list: string | undefined) => namesIn(list ?? '')),
  );
  return bound.includes(name);
}

/** Matches the places at which Python binds names: assignments, loops, and `as`. */
const BOUND =
  /^[ \t]+([\p{L}_][\p{L}\p{N}_]*(?:[ \t]*,[ \t]*[\p{L}_][\p{L}\p{N}_]*)*)[ \t]*(?::[^=\n]+)?(?:\*\*|\/\/|<<|>>|[-+*/%&|^@])?=(?!=)|\bfor[ \t]+([^\n:]+?)[ \t]+in\b|\bas[ \t]+([\p{L}_][\p{L}\p{N}_]*)|([\p{L}_][\p{L}\p{N}_]*)[ \t]*:=/gmu;
