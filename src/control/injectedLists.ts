import { adapterOf } from '../debugger/adapters/registry';
import { asInjected } from '../debugger/breakpoints/injectedMark';
import { fields, listOf, textOf, type Fields } from '../debugger/protocol';
import type { SessionState } from '../debugger/state/state';
import { defined } from '../util/defined';

/**
 * A number of hits that no program reaches, for a point that only shows how the adapter binds it. Debuggers count with
 * 32 bits.
 */
export const NEVER_REACHED = 2 ** 31 - 1;

/** A breakpoint that is sent to an adapter without VS Code knowing it. */
export interface InjectedPoint {
  readonly path: string;
  readonly line: number;
  readonly column?: number | undefined;
  readonly condition?: string | undefined;
  readonly hitCondition?: string | undefined;
  readonly logMessage?: string | undefined;
}

/**
 * VS Code's list with the points added: merged with breakpoints at the same locations, or after the other breakpoints.
 */
export function mergedList(
  session: SessionState,
  theirs: Fields,
  points: readonly { readonly id: number; readonly point: InjectedPoint }[],
): Fields[] {
  const list = listOf(theirs['breakpoints']).map(fields);
  for (const { id, point } of points) {
    const other = breakpointAt(list, point);
    if (other === undefined) {
      const { path: _, ...sent } = point;
      list.push(asInjected(defined(sent), id));
      continue;
    }
    const condition = mergedCondition(session, point, other);
    if (condition !== undefined)
      list[list.indexOf(other)] = asInjected({ ...other, condition }, id, other);
  }
  return list;
}

/** The breakpoint of a list that an adapter would set at a point's location. */
export function breakpointAt(
  list: readonly unknown[],
  { line, column }: InjectedPoint,
): Fields | undefined {
  return list
    .map(fields)
    .find(
      (breakpoint) =>
        breakpoint['line'] === line &&
        (column === undefined ||
          breakpoint['column'] === undefined ||
          breakpoint['column'] === column),
    );
}

/** The condition of both breakpoints. Undefined if the adapter cannot merge the point with the other breakpoint. */
export function mergedCondition(
  session: SessionState,
  point: InjectedPoint,
  other: Fields,
): string | undefined {
  const { condition, hitCondition, logMessage } = point;
  if (condition === undefined || hitCondition !== undefined || logMessage !== undefined)
    return undefined;
  return adapterOf(session.type).mergedCondition?.(condition, {
    condition: textOf(other['condition']) || undefined,
    hitCondition: textOf(other['hitCondition']) || undefined,
    logMessage: textOf(other['logMessage']) || undefined,
  });
}
