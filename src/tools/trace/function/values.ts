import { agreesAsShown } from '../../../debugger/texts';
import type { Argument, Change, TracedFunction, Values } from './callModel';
import { previewChanges } from './previews';

/** Returns the parameters with their values. An object is shown with its members. */
export function argumentsAt(
  { parameters, usesThis, captured = [] }: TracedFunction,
  entry: Values,
): readonly Argument[] {
  const names =
    parameters?.map(({ name }) => name) ??
    [...entry.keys()].map(baseOf).filter((name) => !captured.includes(name));
  const receiver = usesThis === false ? [] : ['this'];
  return [...new Set([...receiver, ...names])].flatMap((name): Argument[] => {
    const value = entry.get(name);
    if (value === undefined) return [];
    const members = [...entry].filter(([member]) => member !== name && baseOf(member) === name);
    const listed = members.map(
      ([member, text]) => `${member.slice(name.length).replace(/^\./, '')}: ${text}`,
    );
    return [[name, members.length === 0 ? value : withMembers(withoutAddress(value), listed)]];
  });
}

function withMembers(text: string, members: readonly string[]): string {
  // The text may already contain other members.
  const own = /^(?<start>[^{]*\{)(?<inner>.*)\}$/s.exec(text)?.groups;
  if (own === undefined) return `${text} {${members.join(', ')}}`.trim();
  const inner = own['inner']?.trim() ?? '';
  const further = members.filter((member) => !shows(inner, member.replace(/:.*$/s, ':')));
  return `${own['start'] ?? ''}${[...(inner === '' ? [] : [inner]), ...further].join(', ')}}`;
}

/** Whether the text of an object's members begins one with a name and its sign. */
function shows(inner: string, name: string): boolean {
  return inner.startsWith(name) || inner.includes(`, ${name}`);
}

function withoutAddress(text: string): string {
  return text.replace(/ at 0x[\da-f]+(?=>$)|^0x[\da-f]+$/i, '').trim();
}

/** Whether Delve could not read a value. Then it is unknown whether it has changed. */
export function isUnreadable(text: string | undefined): boolean {
  return text?.startsWith('(unreadable') === true;
}

/**
 * Returns the differences between two snapshots. Where a text shows only the beginning of a value, what is behind it is
 * no difference. If members show the changes of an object, its own text is omitted.
 * @param parts the names of members that are only some of those that have changed. Default: none
 */
export function differences(
  before: Values,
  now: Values,
  parts: ReadonlySet<string> = NO_PARTS,
): readonly Change[] {
  const changes: Change[] = [];
  for (const [name, value] of now) {
    const earlier = before.get(name);
    if (isUnreadable(value)) continue;
    if (earlier !== undefined && agreesAsShown(earlier, value)) continue;
    if (earlier === undefined || earlier === 'undefined' || isUnreadable(earlier))
      changes.push({ name, before: undefined, now: value });
    else if (earlier !== value)
      changes.push(
        ...(previewChanges(name, earlier, value) ?? [{ name, before: earlier, now: value }]),
      );
  }
  const withMembers = new Set(
    changes.flatMap(({ name }) => (name === baseOf(name) || parts.has(name) ? [] : [baseOf(name)])),
  );
  return changes.filter(({ name, before: earlier, now: value }) => {
    const base = baseOf(name);
    if (name === base)
      return (
        !withMembers.has(name) ||
        earlier === undefined ||
        !isCompound(earlier) ||
        !isCompound(value)
      );
    // The text of a new object already contains its members.
    return (
      earlier !== undefined || (before.get(base) ?? 'undefined') !== 'undefined' || !now.has(base)
    );
  });
}

const NO_PARTS: ReadonlySet<string> = new Set();

/** Returns the base of a name: `order` for `order.total`, and `items` for `items[0].name`. */
export function baseOf(name: string): string {
  return /^[^.[\s]+/.exec(name)?.[0] ?? name;
}

/** Whether a text shows an object or a collection rather than a plain value. */
export function isCompound(value: string): boolean {
  return /[[{(<@]|\b0x/.test(value.replace(/^(["'`])[\s\S]*\1$/, ''));
}
