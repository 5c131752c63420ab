import { writeOperators, type HitCount, type HitOperator } from '../adapters/adapter';
import { adapterOf } from '../adapters/registry';

/**
 * Hit counts as the founding documents write them (`> 5`, `== 3`, `% 2 == 0`), and as debug adapters understand them:
 * DAP leaves the text of `hitCondition` to the adapter.
 */

const SPELLINGS: Readonly<Record<string, HitOperator>> = {
  '': '==',
  '=': '==',
  '==': '==',
  '===': '==',
  '!=': '!=',
  '>': '>',
  '>=': '>=',
  '<': '<',
  '<=': '<=',
};

const COMPARED = /^\s*(={1,3}|!=|>=?|<=?)?\s*(\d{1,9})\s*$/;
const EVERY = /^\s*%\s*(\d{1,9})\s*(?:={2,3}\s*0\s*)?$/;

/** Undefined for what is no hit count. A number alone means that hit. */
export function readHitCount(text: string): HitCount | undefined {
  const every = EVERY.exec(text);
  if (every !== null)
    return Number(every[1]) === 0 ? undefined : { operator: '%', count: Number(every[1]) };
  const compared = COMPARED.exec(text);
  const operator = compared === null ? undefined : SPELLINGS[compared[1] ?? ''];
  return operator === undefined ? undefined : { operator, count: Number(compared?.[2]) };
}

/** The hit count in the words of a debug type; where it has none, what it does understand. */
export function hitConditionFor(
  type: string | undefined,
  hits: HitCount,
): { readonly text: string } | { readonly understands: string } {
  const known = type === undefined ? undefined : adapterOf(type).hitConditions;
  const text = (known?.write ?? writeOperators)(hits);
  return text === undefined ? { understands: known?.understands ?? '' } : { text };
}
