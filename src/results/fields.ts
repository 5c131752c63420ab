import { z } from 'zod';

/**
 * The rules of a field of a result, declared once together with its type: how it is shortened, whether it may be left
 * out of a prompt, how a reader fetches the rest, and whether it is checked for credentials.
 */
export interface FieldRules {
  /**
   * If a prompt becomes too long, fields with the lowest priority are left out first. A field without a priority is
   * never left out.
   */
  readonly priority?: number;
  /** The entries of a list that are left out before the others: those after the first entry and `near` more entries. */
  readonly far?: { readonly near: number; readonly priority: number };
  readonly shrinks?: Shrinking;
  /** Set for a text that is never cut, because it is useful only as a whole. */
  readonly whole?: true;
  /** Set for our own keywords and ids. They contain no data of a program, so they are not redacted. */
  readonly steers?: true;
  /** Set for values by the program's own names, so that no name in the field is treated as one of ours. */
  readonly byName?: true;
}

/** How a list is shortened if a result exceeds its budget. */
export interface Shrinking {
  /** The number of entries that are kept at each step. The steps of all lists are executed in ascending order. */
  readonly steps: readonly { readonly order: number; readonly keep: number }[];
  /** The end of the list at which entries are kept, for example the end of output, or the start of a stack. */
  readonly from: 'start' | 'end';
  /** The name under which omitted entries are counted. */
  readonly counted: string;
  readonly rest?: Rest;
}

/** How a reader fetches the omitted entries. */
export interface Rest {
  /** The tool to call, if it is not the same tool. */
  readonly call?: string;
  /** The parameter for the index of the first omitted entry. */
  readonly start?: string;
}

const RULES = z.registry<FieldRules>();

/** Declares a field of a result. */
export function field<Schema extends z.ZodType>(schema: Schema, rules: FieldRules): Schema {
  // The schema is cloned, so that a schema that several fields share does not receive their rules.
  const own = schema.clone();
  RULES.add(own, rules);
  return own;
}

export function rulesOf(schema: z.core.$ZodType): FieldRules | undefined {
  return RULES.get(schema);
}

/** The text that says how to fetch the rest, such as `get_call_stack start_frame=20`. */
export function restText({ call, start }: Rest, first: number): string {
  return [call, start === undefined ? undefined : `${start}=${first}`]
    .filter((part) => part !== undefined)
    .join(' ');
}

/** The start index in a text that `restText` returned. */
export function restStart({ start }: Rest, text: unknown): number | undefined {
  if (start === undefined || typeof text !== 'string') return undefined;
  const [, index = ''] = text.split(`${start}=`);
  return /^\d+$/.test(index) ? Number(index) : undefined;
}
