import { heldMemory } from './hostMemory';
import { WithoutUs } from './withoutUs';

/** What is done in programs with the extension, and by a raw client while it is asleep. */
export interface Work<T> {
  readonly ours: () => Promise<T>;
  readonly theirs: (without: WithoutUs) => Promise<void>;
  readonly clear: () => Promise<void>;
  /** Whether times are taken: then it is done once before, since the first time in a window is slower, whoever does it. */
  readonly isTimed?: boolean;
}

/** How much more the extension host's heap holds, in MB: at the stop and once all has ended, with the extension and without. */
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

/** Does the same with the extension and without. */
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

/** @returns what the heap holds at the stop, in MB */
async function withoutUs(theirs: Work<unknown>['theirs']): Promise<number> {
  const without = await WithoutUs.begin();
  await theirs(without);
  const held = await heldMemory();
  await without.clear();
  without.end();
  return held;
}
