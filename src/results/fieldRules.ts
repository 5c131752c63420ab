import { z } from 'zod';
import { rulesOf, type FieldRules, type Rest } from './fields';
import { anyResult, resultFields, runOutcome } from './resultSchemas';

/** A declared field that has rules. */
interface RuledField {
  readonly name: string;
  /** The field's path in a result; undefined in the entries of lists. */
  readonly path: readonly string[] | undefined;
  readonly rules: FieldRules;
}

/** One step of shortening one list. */
export interface ShrinkStep {
  readonly path: readonly string[];
  readonly keep: number;
  readonly from: 'start' | 'end';
  readonly counted: string;
  readonly rest?: Rest | undefined;
}

const RULED_FIELDS = ruledIn(
  z.object({ ...runOutcome.shape, ...anyResult.shape, ...resultFields }),
  [],
  new Set(),
);

/** The steps by which the lists of a result are shortened, least important lists first. */
export const SHRINK_STEPS: readonly ShrinkStep[] = RULED_FIELDS.flatMap(({ path, rules }) => {
  const { shrinks } = rules;
  if (path === undefined || shrinks === undefined) return [];
  const { steps, ...how } = shrinks;
  return steps.map(({ order, keep }) => ({ order, step: { path, keep, ...how } }));
})
  .sort((one, other) => one.order - other.order)
  .map(({ step }) => step);

/**
 * The priorities of fields by name. If a prompt becomes too long, the fields with the lowest priority are left out
 * first.
 */
export const PRIORITIES: ReadonlyMap<string, number> = byName(({ priority }) => priority);

export const FAR: ReadonlyMap<string, NonNullable<FieldRules['far']>> = byName(({ far }) => far);

export const WHOLE: ReadonlySet<string> = names(({ whole }) => whole);
export const STEERING: ReadonlySet<string> = names(({ steers }) => steers);
export const VALUES_BY_NAME: ReadonlySet<string> = names((rules) => rules.byName);

function byName<Value>(of: (rules: FieldRules) => Value | undefined): ReadonlyMap<string, Value> {
  return new Map(
    RULED_FIELDS.flatMap(({ name, rules }) => {
      const value = of(rules);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

function names(of: (rules: FieldRules) => true | undefined): ReadonlySet<string> {
  return new Set(byName(of).keys());
}

/**
 * @param seen the schemas on the path so far; recursive schemas, such as a variable's members, are visited once per
 * path
 */
function ruledIn(
  schema: z.core.$ZodType,
  path: readonly string[] | undefined,
  seen: ReadonlySet<z.core.$ZodType>,
): readonly RuledField[] {
  if (seen.has(schema)) return [];
  const within = new Set(seen).add(schema);
  const { def } = schema._zod;
  if ('innerType' in def) return ruledIn(def.innerType as z.core.$ZodType, path, within);
  if (schema instanceof z.core.$ZodArray)
    return ruledIn(schema._zod.def.element, undefined, within);
  if (!(schema instanceof z.core.$ZodObject)) return [];
  return Object.entries(schema._zod.def.shape).flatMap(([name, member]) => {
    const at = path === undefined ? undefined : [...path, name];
    const rules = rulesWithin(member);
    return [
      ...(rules === undefined ? [] : [{ name, path: at, rules }]),
      ...ruledIn(member, at, within),
    ];
  });
}

/** The rules of a field, which may be optional or nullable. */
function rulesWithin(schema: z.core.$ZodType): FieldRules | undefined {
  const { def } = schema._zod;
  return (
    rulesOf(schema) ??
    ('innerType' in def ? rulesWithin(def.innerType as z.core.$ZodType) : undefined)
  );
}
