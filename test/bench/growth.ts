import { heldMemory } from './hostMemory';
import { WithoutUs } from './withoutUs';

/** The work in programs with the extension, and by a raw client while the extension's model is inactive. */
export interface Work<T> {
  readonly ours: () => Promise<T>;
  readonly theirs: (without: WithoutUs) => Promise<void>;
  readonly clear: () => Promise<void>;
  /** Whether times are measured: then `theirs` runs once before, since the first run in a window is always slower. */
  readonly isTimed?: boolean;
}

/** The growth of the extension host's heap in MB, at the stop and after the end, with the extension and without. */
export interface Growth {
  readonly held: number;
  readonly heldWithoutUs: number;
  readonly left: number;
  readonly leftWithoutUs: number;
}

/** The columns of `heapCells`. */
export const HEAP_HEADS = ['heap', 'without us', 'ours', 'ours after the end'] as const;

export function heapCells({ held, heldWithoutUs, left, leftWithoutUs }: Growth): number[] {
  return [held, heldWithoutUs, held - heldWithoutUs, left - leftWithoutUs];
}

/** Runs the same work with the extension and without, and measures the heap. */
export async function growth<T>({
  ours,
  theirs,
  clear,
  isTimed = false,
}: Work<T>): Promise<Growth & { readonly found: T }> {
  if (isTimed) await withoutUs(theirs);
  const before = await heldMemory();
  const found = await ours();
  const held = (await heldMemory()) - before;
  await clear();
  const left = (await heldMemory()) - before;
  const beforeTheirs = await heldMemory();
  const heldWithoutUs = (await withoutUs(theirs)) - beforeTheirs;
  const leftWithoutUs = (await heldMemory()) - beforeTheirs;
  return { found, held, heldWithoutUs, left, leftWithoutUs };
}

/** Runs the work without the extension. @returns the size of the heap at the stop, in MB */
async function withoutUs(theirs: Work<unknown>['theirs']): Promise<number> {
  const without = await WithoutUs.begin();
  await theirs(without);
  const held = await heldMemory();
  await without.clear();
  without.end();
  return held;
}
