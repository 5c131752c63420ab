/** The tags that Go itself sets, as far as they are known without asking it. They are never passed. */
const OWN_TAGS = /^(?:go1\.\d+|unix|cgo|gc|linux|darwin|windows|freebsd|amd64|arm64|386|arm)$/;

/** The tags of the platform, by Node's name for it. */
const PLATFORMS: Readonly<Record<string, readonly string[]>> = {
  linux: ['linux', 'unix'],
  darwin: ['darwin', 'unix'],
  win32: ['windows'],
};
const PROCESSORS: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64', ia32: '386' };

/**
 * Returns the tags that a file needs beside the given ones, so that its `//go:build` line holds. Empty if it holds
 * already, or if no tags make it hold.
 */
export function missingTags(text: string, given: readonly string[]): readonly string[] {
  const constraint = constraintOf(text);
  if (constraint === undefined) return [];
  const holds = (tags: readonly string[]): boolean => {
    const all = new Set([...given, ...tags]);
    return evaluate(constraint, (tag) => all.has(tag) || isSet(tag));
  };
  if (holds([])) return [];
  const named = [...new Set(constraint.match(TAG) ?? [])].filter((tag) => !OWN_TAGS.test(tag));
  const single = named.find((tag) => holds([tag]));
  if (single !== undefined) return [single];
  return holds(named) ? named : [];
}

const TAG = /[\p{L}\p{Nd}_.]+/gu;

/** The expression of a file's `//go:build` line, which stands before the package. */
function constraintOf(text: string): string | undefined {
  const head = text.slice(0, text.search(/^package\s/m));
  return /^\/\/go:build[ \t]+(.+)$/m.exec(head)?.[1];
}

function isSet(tag: string): boolean {
  if (/^go1\.\d+$/.test(tag) || tag === 'cgo' || tag === 'gc') return true;
  return PLATFORMS[process.platform]?.includes(tag) === true || PROCESSORS[process.arch] === tag;
}

/** Evaluates an expression of tags with `!`, `&&`, `||` and parentheses. */
function evaluate(expression: string, has: (tag: string) => boolean): boolean {
  const tokens = expression.match(/&&|\|\||[!()]|[\p{L}\p{Nd}_.]+/gu) ?? [];
  let at = 0;
  const either = (): boolean => {
    let value = both();
    while (tokens[at] === '||') {
      at += 1;
      const other = both();
      value ||= other;
    }
    return value;
  };
  const both = (): boolean => {
    let value = single();
    while (tokens[at] === '&&') {
      at += 1;
      const other = single();
      value &&= other;
    }
    return value;
  };
  const single = (): boolean => {
    const token = tokens[at] ?? '';
    at += 1;
    if (token === '!') return !single();
    if (token !== '(') return has(token);
    const value = either();
    at += 1;
    return value;
  };
  return either();
}
