import type { Change } from './callModel';

/**
 * Returns the changes of an object whose text shows its members, one change per member. Returns undefined if the texts
 * cannot be compared in this way.
 */
export function previewChanges(
  name: string,
  before: string,
  now: string,
): readonly Change[] | undefined {
  const [one, other] = [membersIn(before), membersIn(now)];
  if (one === undefined || other === undefined || one.type !== other.type) return undefined;
  const changes = [...other.members].flatMap(([member, value]): Change[] => {
    const earlier = one.members.get(member);
    return earlier === value ? [] : [{ name: `${name}${member}`, before: earlier, now: value }];
  });
  const isGone = [...one.members.keys()].some((member) => !other.members.has(member));
  return changes.length === 0 || isGone ? undefined : changes;
}

interface Preview {
  readonly type: string;
  readonly members: ReadonlyMap<string, string>;
}

/** Returns the members in texts such as `Cart {total: 5, note: 'a, b', …}`, `<Cart total=5>` and `{'total': 5}`. */
function membersIn(text: string): Preview | undefined {
  const [, type, inBraces] = /^([*&\p{L}_$][\p{L}\p{N}_$.]*)? ?\{(.*)\}$/su.exec(text) ?? [];
  const [, object, inAngles] = /^<([\p{L}_][\p{L}\p{N}_.]*) (.*)>$/su.exec(text) ?? [];
  const inner = inBraces ?? inAngles;
  if (inner === undefined || inner.length > MAX_OF_A_PREVIEW) return undefined;
  const members = new Map<string, string>();
  let last: string | undefined;
  for (const entry of entriesOf(inner)) {
    if (/^(?:…|\.\.\.)/.test(entry)) continue;
    const [, name, key, value] = (inBraces === undefined ? BY_SIGN : BY_COLON).exec(entry) ?? [];
    const element = key === undefined ? undefined : `[${key}]`;
    const member = name === undefined ? element : `.${name}`;
    // The text of a Go list contains commas: `[]int len: 2, cap: 2, [1,2]`.
    const isOfList = last !== undefined && /\blen: \d+$/.test(members.get(last) ?? '');
    if (member === undefined || value === undefined || (isOfList && name === 'cap')) {
      if (last === undefined) return undefined;
      members.set(last, `${members.get(last) ?? ''}, ${entry}`);
    } else {
      members.set(member, value);
      last = member;
    }
  }
  return { type: type ?? object ?? '', members };
}

const BY_COLON = /^(?:([\p{L}_$#][\p{L}\p{N}_$]*)|('[^']*'|"[^"]*"|\d+)): (.*)$/su;
const BY_SIGN = /^(?:([\p{L}_][\p{L}\p{N}_]*)|(\[\]))=(.*)$/su;
const MAX_OF_A_PREVIEW = 2000;

/** Returns the parts between commas. Commas within brackets and strings do not count. */
function entriesOf(inner: string): readonly string[] {
  const entries: string[] = [];
  let depth = 0;
  let quote = '';
  let entry = '';
  for (const sign of inner) {
    if (quote !== '') quote = sign === quote ? '' : quote;
    else if (`'"\``.includes(sign)) quote = sign;
    else if ('([{<'.includes(sign)) depth += 1;
    else if (')]}>'.includes(sign)) depth -= 1;
    else if (sign === ',' && depth === 0) {
      entries.push(entry);
      entry = '';
      continue;
    }
    entry += sign;
  }
  return [...entries, entry].map((part) => part.trim()).filter((part) => part !== '');
}
