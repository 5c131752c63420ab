import type { BreakpointParts } from '../adapters/adapterParts';
import { adapterOf } from '../adapters/registry';

/**
 * Determines which parts of a breakpoint an adapter uses together. DAP allows `condition`, `hitCondition` and
 * `logMessage` in one breakpoint. Not every adapter uses all of them.
 */

export type PartName = 'condition' | 'logMessage' | 'hitCondition';

/**
 * The part that an adapter of the debug type would use, and the first part that it would ignore. Undefined if it uses
 * all parts.
 */
export function ignoredParts(
  type: string | undefined,
  { condition, hitCondition, logMessage }: Partial<BreakpointParts>,
): { readonly used: PartName; readonly ignored: PartName } | undefined {
  if (type === undefined || adapterOf(type).usesOnePart !== true) return undefined;
  const parts: PartName[] = [
    ...(condition === undefined ? [] : (['condition'] as const)),
    ...(logMessage === undefined ? [] : (['logMessage'] as const)),
    ...(hitCondition === undefined ? [] : (['hitCondition'] as const)),
  ];
  const [used, ignored] = parts;
  return used === undefined || ignored === undefined ? undefined : { used, ignored };
}

/** Whether a breakpoint has several parts. Some adapters use only the first one. */
export function isCombined({
  condition,
  hitCondition,
  logMessage,
}: Partial<BreakpointParts>): boolean {
  return [condition, hitCondition, logMessage].filter((part) => part !== undefined).length > 1;
}

/**
 * A JavaScript condition that prints the log message if another condition is true. It is always false, so it never
 * stops the program.
 */
export function printingCondition(condition: string, logMessage: string): string {
  return `(${condition}) && (console.log(${templateOf(logMessage)}), false)`;
}

/** Converts a log message to a template literal; returns `…` if the message has nested braces. */
function templateOf(logMessage: string): string {
  const parts = logMessage.split(/\{([^{}]*)\}/);
  const isNested = parts.some((part, index) => index % 2 === 0 && /[{}]/.test(part));
  if (isNested) return '…';
  const literal = parts
    .map((part, index) => (index % 2 === 0 ? part.replace(/[\\`$]/g, '\\$&') : `\${${part}}`))
    .join('');
  return `\`${literal}\``;
}
