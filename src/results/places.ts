import { z } from 'zod';
import { STEERING } from './fieldRules';
import { anyResult } from './resultSchemas';

/** The schema of a place in a result, from the tool's output schema; undefined if none declares it. */
export type SchemaNode = z.core.$ZodType | undefined;

/**
 * The form of our own keywords and ids: `stopped`, `invalid_input`, `s12`. Any other text is checked for credentials.
 */
const KEYWORD = /^(?=.{1,40}$)(?:[a-z]+(?:_[a-z]+)*|s\d+)$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT[\d:.]{1,20}Z$/;

/** The schema of a result, including the fields that all results have. */
export class ResultSchema {
  constructor(private readonly schema: SchemaNode) {}

  /** The schema of a top-level property. */
  at(key: string): SchemaNode {
    return member(this.schema, key) ?? member(anyResult, key);
  }
}

/** The schema of a property of an object, or of an entry of a list. */
export function member(place: SchemaNode, key: string | number): SchemaNode {
  const at = unwrapped(place);
  if (at instanceof z.core.$ZodArray) return at._zod.def.element;
  if (at instanceof z.core.$ZodRecord) return at._zod.def.valueType;
  if (at instanceof z.core.$ZodObject && Object.hasOwn(at._zod.def.shape, key))
    return at._zod.def.shape[key];
  return undefined;
}

/**
 * Whether an object's key is one of our own names. Otherwise it comes from a program or a file, such as a variable's
 * name.
 */
export function isOwnKey(place: SchemaNode, key: string): boolean {
  const at = unwrapped(place);
  return at instanceof z.core.$ZodObject && Object.hasOwn(at._zod.def.shape, key);
}

/** Whether a text in one of our own fields is a keyword or an id, which contains no data of a program. */
export function isSteering(place: SchemaNode, key: string | number, text: string): boolean {
  const at = unwrapped(place);
  if (at === undefined) return false;
  if (at instanceof z.core.$ZodEnum) return Object.values(at._zod.def.entries).includes(text);
  if (at instanceof z.core.$ZodISODateTime) return TIMESTAMP.test(text);
  return STEERING.has(String(key)) && KEYWORD.test(text);
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
