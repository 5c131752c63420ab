import { isFields, type Fields } from '../debugger/protocol';
import { FAR, PRIORITIES } from './fieldRules';

/** A part of a result's JSON. Without any that has a priority, what is left is JSON all the same. */
export interface Section {
  readonly text: string;
  /** What may be left out when a prompt grows too long: the lowest first. Undefined for what must stay. */
  readonly priority: number | undefined;
}

/** An object whose own properties have priorities. */
const NESTED = 'stop_event_data';

/**
 * A result's JSON in parts that can be left out one by one. Lists keep their brackets and their first entry's place, so
 * that a structure that was promised is there, though it may be empty.
 */
export function sectionsOf(result: Fields): readonly Section[] {
  const writer = new SectionWriter();
  writer.object(result);
  return joined(writer.sections);
}

class SectionWriter {
  readonly sections: Section[] = [];

  object(value: Fields): void {
    this.must('{');
    inOrder(value).forEach(([key, each], index) => {
      const head = `${index === 0 ? '' : ','}${JSON.stringify(key)}:`;
      this.property(head, key, each, index === 0);
    });
    this.must('}');
  }

  private property(head: string, key: string, value: unknown, isFirst: boolean): void {
    const priority = PRIORITIES.get(key);
    if (key === NESTED && isFields(value)) {
      this.must(head);
      this.object(value);
    } else if (priority === undefined) this.must(head + JSON.stringify(value));
    else if (Array.isArray(value)) {
      this.must(head);
      this.list(value, key, priority);
    } else if (
      key === 'top_frame_variables' &&
      isFields(value) &&
      Array.isArray(value['variables'])
    )
      this.variables(head, value['scope_name'], value['variables'], priority);
    else if (isFirst) this.must(head + JSON.stringify(value));
    else this.may(head + JSON.stringify(value), priority);
  }

  private variables(
    head: string,
    scopeName: unknown,
    entries: readonly unknown[],
    priority: number,
  ): void {
    this.must(`${head}{"scope_name":${JSON.stringify(scopeName ?? '')},"variables":`);
    this.list(entries, 'variables', priority);
    this.must('}');
  }

  /** @param key where the list is: some have near and far entries */
  private list(entries: readonly unknown[], key: string, priority: number): void {
    const texts = entries.map((entry) => JSON.stringify(entry));
    this.must('[');
    const far = FAR.get(key);
    if (far !== undefined) this.stack(texts, priority, far);
    else this.may(texts.join(','), priority);
    this.must(']');
  }

  private stack(
    texts: readonly string[],
    priority: number,
    far: { readonly near: number; readonly priority: number },
  ): void {
    const following = (part: readonly string[]): string => part.map((each) => `,${each}`).join('');
    this.must(texts.slice(0, 1).join(','));
    this.may(following(texts.slice(1, far.near + 1)), priority);
    // Left out with the near ones or before them, never alone.
    this.may(following(texts.slice(far.near + 1)), far.priority);
  }

  private must(text: string): void {
    this.sections.push({ text, priority: undefined });
  }

  private may(text: string, priority: number): void {
    if (text !== '') this.sections.push({ text, priority });
  }
}

/** What must stay comes first: it is what a reader asks for first. */
function inOrder(value: Fields): readonly (readonly [string, unknown])[] {
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return [
    ...entries.filter(([key]) => !PRIORITIES.has(key) && key !== NESTED),
    ...entries.filter(([key]) => key === NESTED),
    ...entries.filter(([key]) => PRIORITIES.has(key)),
  ];
}

/** Neighbours that must stay are one. */
function joined(sections: readonly Section[]): readonly Section[] {
  const merged: Section[] = [];
  for (const section of sections) {
    const before = merged.at(-1);
    if (before !== undefined && before.priority === undefined && section.priority === undefined)
      merged[merged.length - 1] = { text: before.text + section.text, priority: undefined };
    else merged.push(section);
  }
  return merged;
}
