/** How a member of an object is named: `o.k`, or `o[k]`. In JavaScript, both are the same. */
export interface Key {
  readonly kind: 'attribute' | 'element';
  /** The expression of the key as it stands in the source: a name, or what is between the brackets. */
  readonly text: string;
  /** The key itself, if it is written as a constant. */
  readonly constant: string | undefined;
}

/** What a call asks about: a variable, or a member of an object. */
export type Asked =
  | { readonly kind: 'variable'; readonly expression: string; readonly name: string }
  | {
      readonly kind: 'member';
      readonly expression: string;
      /** The expression of the object that has the member. */
      readonly owner: string;
      readonly key: Key;
    };

const NAME = /[\p{L}_$][\p{L}\p{N}_$]*/uy;

/** Returns the end of the name that begins at a position, or the position itself. */
export function endOfName(text: string, at: number): number {
  NAME.lastIndex = at;
  return NAME.test(text) ? NAME.lastIndex : at;
}

/** Returns the position of the bracket that closes the one at `open`. Undefined if there is none. */
function closeOf(text: string, open: number): number | undefined {
  let depth = 0;
  let quote = '';
  for (let at = open; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (quote !== '') {
      if (sign === '\\') at += 1;
      else if (sign === quote) quote = '';
    } else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === '[') depth += 1;
    else if (sign === ']') {
      depth -= 1;
      if (depth === 0) return at;
    } else if (!/[\w\s.$-]/.test(sign) && !/\p{L}/u.test(sign)) return undefined;
  }
  return undefined;
}

/** Returns the constant that an index expression consists of: a number, or a text without escapes. */
export function constantOf(index: string): string | undefined {
  const bare = index.trim();
  if (/^-?\d{1,15}$/.test(bare)) return String(Number(bare));
  const quoted = /^(?:"([^"\\]*)"|'([^'\\]*)')$/.exec(bare);
  return quoted === null ? undefined : JSON.stringify(quoted[1] ?? quoted[2] ?? '');
}

/**
 * Reads a variable, or a path of members and elements whose indexes are constants or such paths. Such an expression
 * calls nothing, apart from getters. Returns undefined for any other expression.
 */
export function readPath(expression: string): Asked | undefined {
  const text = expression.trim();
  let at = endOfName(text, 0);
  if (at === 0 || NOT_NAMES.has(text.slice(0, at))) return undefined;
  let path: Asked = { kind: 'variable', expression: text.slice(0, at), name: text.slice(0, at) };
  while (at < text.length) {
    const step = stepAt(text, at);
    if (step === undefined) return undefined;
    const owner = text.slice(0, at);
    at = step.end;
    path = { kind: 'member', expression: text.slice(0, at), owner, key: step.key };
  }
  return path;
}

const NOT_NAMES: ReadonlySet<string> = new Set([
  'super',
  'new',
  'not',
  'await',
  'lambda',
  'typeof',
]);

function stepAt(text: string, at: number): { readonly key: Key; readonly end: number } | undefined {
  const sign = text.charAt(at);
  if (sign === '.') {
    const end = endOfName(text, at + 1);
    const name = text.slice(at + 1, end);
    return name === ''
      ? undefined
      : { key: { kind: 'attribute', text: name, constant: JSON.stringify(name) }, end };
  }
  const close = sign === '[' ? closeOf(text, at) : undefined;
  if (close === undefined) return undefined;
  const index = text.slice(at + 1, close);
  const constant = constantOf(index);
  if (constant === undefined && readPath(index) === undefined) return undefined;
  return { key: { kind: 'element', text: index.trim(), constant }, end: close + 1 };
}
