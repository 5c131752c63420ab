import { adapterOf } from '../adapters/registry';

/**
 * Which parts of one breakpoint an adapter heeds together. DAP lets `condition`, `hitCondition` and `logMessage` stand
 * side by side; not every adapter reads them all.
 */

/** The parts of a breakpoint that decide whether it stops. */
export interface BreakpointParts {
  readonly condition?: string | undefined;
  readonly hitCondition?: string | undefined;
  readonly logMessage?: string | undefined;
}

export type PartName = 'condition' | 'logMessage' | 'hitCondition';

/** The part that an adapter of the debug type would heed, and those that it would leave out; undefined where it heeds all. */
export function ignoredParts(
  type: string | undefined,
  { condition, hitCondition, logMessage }: BreakpointParts,
): { readonly heeded: PartName; readonly ignored: PartName } | undefined {
  if (type === undefined || adapterOf(type).heedsOnePart !== true) return undefined;
  const given: PartName[] = [
    ...(condition === undefined ? [] : (['condition'] as const)),
    ...(logMessage === undefined ? [] : (['logMessage'] as const)),
    ...(hitCondition === undefined ? [] : (['hitCondition'] as const)),
  ];
  const [heeded, ignored] = given;
  return heeded === undefined || ignored === undefined ? undefined : { heeded, ignored };
}

/** Whether parts stand side by side of which some adapters heed the first alone. */
export function isCombined({ condition, hitCondition, logMessage }: BreakpointParts): boolean {
  return [condition, hitCondition, logMessage].filter((each) => each !== undefined).length > 1;
}

/** A condition of JavaScript that prints the log message where another holds, and is always false: it never stops. */
export function printingCondition(condition: string, logMessage: string): string {
  return `(${condition}) && (console.log(${templateOf(logMessage)}), false)`;
}

/** A log message as a template literal. Where braces stand in braces, the person writes it. */
function templateOf(logMessage: string): string {
  const parts = logMessage.split(/\{([^{}]*)\}/);
  const isNested = parts.some((part, index) => index % 2 === 0 && /[{}]/.test(part));
  if (isNested) return '…';
  const literal = parts
    .map((part, index) => (index % 2 === 0 ? part.replace(/[\\`$]/g, '\\$&') : `\${${part}}`))
    .join('');
  return `\`${literal}\``;
}
