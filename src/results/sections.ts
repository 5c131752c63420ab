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

/**
 * A result's JSON in parts that can be left out one by one. Lists keep their brackets and their first entry's place, so
 * that a structure that was promised is there, though it may be empty.
 */
export function sectionsOf(result: Fields): readonly Section[] {
  const sections: Section[] = [];
  const must = (text: string): void => void sections.push({ text, priority: undefined });
  const may = (text: string, priority: number): void => {
    if (text !== '') sections.push({ text, priority });
  };
  /** `key` is where the list is: `call_stack` has near and far entries. */
  const list = (entries: readonly unknown[], key: string, priority: number): void => {
    const texts = entries.map((each) => JSON.stringify(each));
    must('[');
    if (key === 'call_stack') {
      must(texts.slice(0, 1).join(','));
      may(
        texts
          .slice(1, NEAR + 1)
          .map((each) => `,${each}`)
          .join(''),
        priority,
      );
      // Left out with the near ones or before them, never alone.
      may(
        texts
          .slice(NEAR + 1)
          .map((each) => `,${each}`)
          .join(''),
        FAR_FRAMES,
      );
    } else may(texts.join(','), priority);
    must(']');
  };
  const object = (value: Fields): void => {
    must('{');
    // What must stay comes first: it is what a reader asks for first.
    const keys = Object.entries(value).filter(([, each]) => each !== undefined);
    const ordered = [
      ...keys.filter(([key]) => PRIORITIES[key] === undefined && key !== 'stop_event_data'),
      ...keys.filter(([key]) => key === 'stop_event_data'),
      ...keys.filter(([key]) => PRIORITIES[key] !== undefined),
    ];
    ordered.forEach(([key, each], index) => {
      const priority = PRIORITIES[key];
      const head = `${index === 0 ? '' : ','}${JSON.stringify(key)}:`;
      if (key === 'stop_event_data' && isFields(each)) {
        must(head);
        object(each);
      } else if (priority === undefined) must(head + JSON.stringify(each));
      else if (Array.isArray(each)) {
        must(head);
        list(each, key, priority);
      } else if (
        key === 'top_frame_variables' &&
        isFields(each) &&
        Array.isArray(each['variables'])
      ) {
        must(`${head}{"scope_name":${JSON.stringify(each['scope_name'] ?? '')},"variables":`);
        list(each['variables'], 'variables', priority);
        must('}');
      } else if (index === 0) must(head + JSON.stringify(each));
      else may(head + JSON.stringify(each), priority);
    });
    must('}');
  };
  object(result);
  return joined(sections);
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
