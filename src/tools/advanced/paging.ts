import { z } from 'zod';

export const start = z.int().min(0).max(Number.MAX_SAFE_INTEGER).default(0);
export const count = z.int().min(1).max(500).default(50).describe('1 to 500.');

export interface ListPage {
  readonly entries: readonly unknown[];
  readonly total: number;
}

/** Returns the number of entries that follow a page, and the parameter that fetches them. */
export function leftOut(
  name: string,
  { entries, total }: ListPage,
  { start }: { readonly start: number },
): { omitted?: Record<string, number | string> } {
  const next = start + entries.length;
  const left = total - next;
  return left <= 0 ? {} : { omitted: { [name]: left, [`fetch_${name}`]: `start=${next}` } };
}
