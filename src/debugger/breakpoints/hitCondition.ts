import { writeOperators, type HitCount, type HitOperator } from '../adapters/adapterParts';
import { adapterOf } from '../adapters/registry';

/**
 * Converts hit counts from the syntax of callers (`> 5`, `== 3`, `% 2 == 0`) to the syntax of the debug adapter. DAP
 * leaves the syntax of `hitCondition` to the adapter.
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

const COMPARED = /^(={1,3}|!=|>=?|<=?)?\s*(\d{1,9})$/;
const EVERY = /^\s*%\s*(\d{1,9})\s*(?:={2,3}\s*0\s*)?$/;

/** Reads a hit count; undefined if the text is not a hit count. A number alone means exactly that hit. */
export function readHitCount(text: string): HitCount | undefined {
  const every = EVERY.exec(text);
  if (every !== null)
    return Number(every[1]) === 0 ? undefined : { operator: '%', count: Number(every[1]) };
  const compared = COMPARED.exec(text.trim());
  const operator = compared === null ? undefined : SPELLINGS[compared[1] ?? ''];
  return operator === undefined ? undefined : { operator, count: Number(compared?.[2]) };
}

/**
 * The hit count in the syntax of a debug type. If the adapter does not support it, the hit counts that the adapter does
 * support.
 */
export function hitConditionFor(
  type: string | undefined,
  hits: HitCount,
): { readonly text: string } | { readonly understands: string } {
  const syntax = type === undefined ? undefined : adapterOf(type).hitConditions;
  const text = (syntax?.write ?? writeOperators)(hits);
  return text === undefined ? { understands: syntax?.understands ?? '' } : { text };
}
