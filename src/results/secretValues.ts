/** Values that are no secrets. A missing secret may be the bug that an agent is looking for. */
const NOTHING = /^(?:undefined|none|null|nil|true|false|nan|empty|missing)[;,)]?$/i;
const NUMBER = /^[-+]?[\d_.,]+n?[;,)]?$/;

/** Masks, markers of a redaction, and places that are filled in later: `***`, `${input:key}`, `{{token}}`, `<secret>`. */
const MASK =
  /^(?:[*•.…-]+|x{3,}|\[(?:redacted|removed)[^\]]{0,60}\]|\$\{[^}]{1,200}\}|\{\{[^}]{1,200}\}\}|<[\w .:-]{1,60}>|%[sdv])$/i;

/** @param mayBeNumber whether a number counts as a secret here, as in quotes */
export function isNoSecret(value: string, mayBeNumber: boolean): boolean {
  return NOTHING.test(value) || MASK.test(value) || (!mayBeNumber && NUMBER.test(value));
}

const MIN_RANDOM = 10;

/** Whether a value looks made by a machine: one word with letters and digits. */
export function looksRandom(value: string): boolean {
  return (
    value.length >= MIN_RANDOM &&
    /^[\w.~+/=%:|-]+$/.test(value) &&
    /[a-z]/i.test(value) &&
    /\d/.test(value)
  );
}

const QUOTE = /["'`]/;

/** The part of a value that a result shows under the name of a credential, which is hidden; undefined for none. */
export function secretPart(value: string): { start: number; end: number } | undefined {
  const text = value.trim();
  // What an object holds is found by its own names.
  if (
    /^(?:[{[(<ƒ]|function\b|class\b|[A-Z][\w.]*[ ({[<]|\w+\(\d*\) [[{])/.test(text) &&
    !isText(text)
  )
    return undefined;
  const first = value.search(QUOTE);
  const last = value.lastIndexOf(value[first] ?? '');
  const isQuoted = first !== -1 && last > first;
  const [start, end] = isQuoted ? [first + 1, last] : [0, value.length];
  return end - start < 3 || isNoSecret(value.slice(start, end).trim(), isQuoted)
    ? undefined
    : { start, end };
}

/** Rust's `String "…"` and similar. */
function isText(text: string): boolean {
  return /^(?:String|Text|str|SecretStr)\b[ (]{1,2}["']/.test(text);
}
