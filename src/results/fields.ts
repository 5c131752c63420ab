import { z } from 'zod';

/**
 * What is said of a field of a result beside its type, once and where the field is declared: how it is shortened, what
 * may be left out of a prompt, how a reader gets the rest, and whether it is checked for credentials.
 */
export interface FieldRules {
  /** In a prompt that grows too long the fields with the lowest priority go first. A field without one stays. */
  readonly priority?: number;
  /** Entries of a list that go sooner than the others: those behind the first and so many more. */
  readonly far?: { readonly near: number; readonly priority: number };
  readonly shrinks?: Shrinking;
  /** A text that is never cut: it is needed whole to go on. */
  readonly whole?: true;
  /** Words and ids of our own, by which callers steer: nothing of a program is in them, so they are not redacted. */
  readonly steers?: true;
  /** Values by the program's own names: a name in it is none of ours, whatever it is. */
  readonly byName?: true;
}

/** How a list is shortened where a result exceeds its budget. */
export interface Shrinking {
  /** How many entries stay at each step. The steps of all lists are taken by their order, the lowest first. */
  readonly steps: readonly { readonly order: number; readonly keep: number }[];
  /** Where the entries come from that stay: a tail of output, the near end of a stack. */
  readonly from: 'start' | 'end';
  /** Under which name the entries that were left out are counted. */
  readonly counted: string;
  readonly rest?: Rest;
}

/** How a reader gets the entries that were left out. */
export interface Rest {
  /** The call, where it is another than the one that answers. */
  readonly call?: string;
  /** The parameter that takes the place of the first entry that was left out. */
  readonly start?: string;
}

const RULES = z.registry<FieldRules>();

/** Declares a field of a result. */
export function field<Schema extends z.ZodType>(schema: Schema, rules: FieldRules): Schema {
  // A schema that several fields share has the rules of none of them.
  const own = schema.clone();
  RULES.add(own, rules);
  return own;
}

export function rulesOf(schema: z.core.$ZodType): FieldRules | undefined {
  return RULES.get(schema);
}

/** Such as `get_call_stack start_frame=20`. */
export function restText({ call, start }: Rest, first: number): string {
  return [call, start === undefined ? undefined : `${start}=${first}`]
    .filter((part) => part !== undefined)
    .join(' ');
}

/** The place that such a text names. */
export function restStart({ start }: Rest, text: unknown): number | undefined {
  if (start === undefined || typeof text !== 'string') return undefined;
  const [, place = ''] = text.split(`${start}=`);
  return /^\d+$/.test(place) ? Number(place) : undefined;
}
