const ESCAPES: Readonly<Record<string, string>> = {
  ...{ a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' },
  ...{ '\\': '\\', '"': '"', "'": "'" },
};

/** An escape sequence, or the text between two of them. */
const ESCAPE = /\\(?:x([\da-f]{2})|u([\da-f]{4})|U([\da-f]{8})|([0-7]{3})|([^]))|[^\\]+/gi;

/**
 * Returns the text of a string in Delve's notation, which is Go's. If Delve has cut it, the text ends with `…`. Undefined
 * if the value is no string.
 */
export function goString(shown: string | undefined): string | undefined {
  const [, quoted, more] = /^"([^]*?)(?:\.\.\.\+(\d+) more)?"$/.exec(shown ?? '') ?? [];
  if (quoted === undefined) return undefined;
  const bytes: Buffer[] = [];
  for (const [whole, byte, short, long, octal, single] of quoted.matchAll(ESCAPE)) {
    const code = short ?? long;
    if (byte !== undefined) bytes.push(Buffer.from(byte, 'hex'));
    else if (code !== undefined) bytes.push(Buffer.from(String.fromCodePoint(parseInt(code, 16))));
    else if (octal !== undefined) bytes.push(Buffer.from([parseInt(octal, 8)]));
    else if (single !== undefined) bytes.push(Buffer.from(ESCAPES[single] ?? single));
    else bytes.push(Buffer.from(whole));
  }
  const text = Buffer.concat(bytes).toString('utf8');
  return more === undefined ? text : `${text}…`;
}

/** The messages of `runtime.boundsError`, by its code. */
const BOUNDS: readonly string[] = [
  'index out of range [%x] with length %y',
  'slice bounds out of range [:%x] with length %y',
  'slice bounds out of range [:%x] with capacity %y',
  'slice bounds out of range [%x:%y]',
  'slice bounds out of range [::%x] with length %y',
  'slice bounds out of range [::%x] with capacity %y',
  'slice bounds out of range [:%x:%y]',
  'slice bounds out of range [%x:%y:]',
  'cannot convert slice with length %x to array or pointer to array with length %y',
];

/** Returns the text of a panic, as Go would print it, from the value that Delve shows. */
export function panicText(shown: string): string {
  const [, type = '', value = shown] =
    /^(?:interface \{\}|any|error)\((\S+?)\) ([^]*)$/.exec(shown) ?? [];
  const text = goString(value);
  if (/^\*?runtime\./.test(type)) return runtimeError(type, value, text);
  if (text !== undefined) return text;
  // The errors of fmt and errors, and most others, keep their text in their first field.
  const [, field] =
    /^\*?(?:[\w./]+ )?\{(?:s|msg|message|text|Msg|Message): ("(?:[^"\\]|\\[^])*")/.exec(value) ??
    [];
  return goString(field) ?? (type === '' ? value : `${withoutFolders(type)} ${value}`);
}

/** Returns a type with its package only, as Go writes it. */
function withoutFolders(type: string): string {
  return type.replace(/(?<![\w.~-])[\w.~-]+\//g, '');
}

function runtimeError(type: string, value: string, text: string | undefined): string {
  if (text !== undefined) return type.endsWith('plainError') ? text : `runtime error: ${text}`;
  const [, x = '', y = '', isSigned, code = ''] =
    /\{x: (-?\d+), y: (-?\d+), signed: (true|false), code: (?:\w+ \()?(\d+)/.exec(value) ?? [];
  const message = BOUNDS[Number(code)];
  if (x === '' || message === undefined) return `${type} ${value}`;
  // Of a negative index, the length says nothing.
  const known =
    isSigned === 'true' && x.startsWith('-') ? message.replace(/ with [^]*/, '') : message;
  return `runtime error: ${known.replace('%x', x).replace('%y', y)}`;
}
