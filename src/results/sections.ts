import { isFields, type Fields } from '../debugger/protocol';

/** A part of a result's JSON. Without any that has a priority, what is left is JSON all the same. */
export interface Section {
  readonly text: string;
  /** What may be left out when a prompt grows too long: the lowest first. Undefined for what must stay. */
  readonly priority: number | undefined;
}

/** What happened and where stays; then these, as they are missed: see `tools.md`, "Every result". */
const PRIORITIES: Readonly<Record<string, number>> = {
  exception: 90,
  changed: 80,
  top_frame_variables: 70,
  path: 70,
  variables: 70,
  call_stack: 60,
  source_lines: 55,
  output: 50,
  lines: 50,
  members: 40,
  configuration: 30,
};

/** Frames far from the stop go first of all. */
const FAR_FRAMES = 20;
const NEAR = 4;

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
    const priority = PRIORITIES[key];
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

  /** @param key where the list is: `call_stack` has near and far entries */
  private list(entries: readonly unknown[], key: string, priority: number): void {
    const texts = entries.map((each) => JSON.stringify(each));
    this.must('[');
    if (key === 'call_stack') this.stack(texts, priority);
    else this.may(texts.join(','), priority);
    this.must(']');
  }

  private stack(texts: readonly string[], priority: number): void {
    const following = (part: readonly string[]): string => part.map((each) => `,${each}`).join('');
    this.must(texts.slice(0, 1).join(','));
    this.may(following(texts.slice(1, NEAR + 1)), priority);
    // Left out with the near ones or before them, never alone.
    this.may(following(texts.slice(NEAR + 1)), FAR_FRAMES);
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
    ...entries.filter(([key]) => PRIORITIES[key] === undefined && key !== NESTED),
    ...entries.filter(([key]) => key === NESTED),
    ...entries.filter(([key]) => PRIORITIES[key] !== undefined),
  ];
}

/** Neighbours that must stay are one. */
function joined(sections: readonly Section[]): readonly Section[] {
  const merged: Section[] = [];
  for (const each of sections) {
    const before = merged.at(-1);
    if (before !== undefined && before.priority === undefined && each.priority === undefined)
      merged[merged.length - 1] = { text: before.text + each.text, priority: undefined };
    else merged.push(each);
  }
  return merged;
}
