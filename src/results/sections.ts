import { isFields, type Fields } from '../debugger/protocol';
import { FAR, PRIORITIES } from './fieldRules';

/** A part of a result's JSON. If any parts with a priority are left out, the rest is still valid JSON. */
export interface Section {
  readonly text: string;
  /**
   * If a prompt becomes too long, the parts with the lowest priority are left out first. Undefined for parts that must
   * stay.
   */
  readonly priority: number | undefined;
}

/** The property whose value is an object with prioritized properties of its own. */
const NESTED = 'stop_event_data';

/**
 * The JSON of a result in parts that can be left out one by one. Lists keep their brackets, so that the declared
 * structure is preserved, although a list may be empty.
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
    inOrder(value).forEach(([key, member], index) => {
      const head = `${index === 0 ? '' : ','}${JSON.stringify(key)}:`;
      this.property(head, key, member, index === 0);
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

  /** @param key the field of the list; some fields have near and far entries */
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
    const following = (part: readonly string[]): string => part.map((text) => `,${text}`).join('');
    this.must(texts.slice(0, 1).join(','));
    this.may(following(texts.slice(1, far.near + 1)), priority);
    // The far entries are left out before the near ones or together with them, never after them.
    this.may(following(texts.slice(far.near + 1)), far.priority);
  }

  private must(text: string): void {
    this.sections.push({ text, priority: undefined });
  }

  private may(text: string, priority: number): void {
    if (text !== '') this.sections.push({ text, priority });
  }
}

/** The properties in the order of the prompt. Those that must stay are first, because a reader needs them first. */
function inOrder(value: Fields): readonly (readonly [string, unknown])[] {
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return [
    ...entries.filter(([key]) => !PRIORITIES.has(key) && key !== NESTED),
    ...entries.filter(([key]) => key === NESTED),
    ...entries.filter(([key]) => PRIORITIES.has(key)),
  ];
}

/** Merges adjacent sections that must stay. */
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
