import { z } from 'zod';
import { STEERING } from './fieldRules';
import { anyResult } from './resultSchemas';

/** What a place in a result holds, by the schema of the tool that answers; undefined where none says. */
export type SchemaNode = z.core.$ZodType | undefined;

/** What such a word or id looks like: `stopped`, `invalid_input`, `s12`. What looks otherwise is checked as any text is. */
const WORD = /^(?=.{1,40}$)(?:[a-z]+(?:_[a-z]+)*|s\d+)$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT[\d:.]{1,20}Z$/;

/** A result and the schema that declares its places, beside what is the same in all. */
export class ResultSchema {
  constructor(private readonly schema: SchemaNode) {}

  /** The place of a property of the result itself. */
  at(key: string): SchemaNode {
    return member(this.schema, key) ?? member(anyResult, key);
  }
}

/** The place of a property of an object, or of an entry of a list. */
export function member(place: SchemaNode, key: string | number): SchemaNode {
  const at = unwrapped(place);
  if (at instanceof z.core.$ZodArray) return at._zod.def.element;
  if (at instanceof z.core.$ZodRecord) return at._zod.def.valueType;
  if (at instanceof z.core.$ZodObject && Object.hasOwn(at._zod.def.shape, key))
    return at._zod.def.shape[key];
  return undefined;
}

/** Whether an object's key is one of our own names: else it is a program's or a file's, such as a variable's name. */
export function isOwnKey(place: SchemaNode, key: string): boolean {
  const at = unwrapped(place);
  return at instanceof z.core.$ZodObject && Object.hasOwn(at._zod.def.shape, key);
}

/** Whether a text at a place that is ours is a word or an id by which callers steer: nothing of a program is in it. */
export function isSteering(place: SchemaNode, key: string | number, text: string): boolean {
  const at = unwrapped(place);
  if (at === undefined) return false;
  if (at instanceof z.core.$ZodEnum) return Object.values(at._zod.def.entries).includes(text);
  if (at instanceof z.core.$ZodISODateTime) return TIMESTAMP.test(text);
  return STEERING.has(String(key)) && WORD.test(text);
}

function unwrapped(place: SchemaNode): SchemaNode {
  let at = place;
  while (at !== undefined && isWrapper(at)) at = at._zod.def.innerType;
  return at;
}

function isWrapper(
  at: z.core.$ZodType,
): at is z.core.$ZodOptional | z.core.$ZodNullable | z.core.$ZodReadonly | z.core.$ZodDefault {
  return (
    at instanceof z.core.$ZodOptional ||
    at instanceof z.core.$ZodNullable ||
    at instanceof z.core.$ZodReadonly ||
    at instanceof z.core.$ZodDefault
  );
}
