import { defined } from '../../util/defined';
import { MOST, waitOf, type Locked, type ThreadStack, type Wait } from './hangReport';
import { cyclesOf } from './waitCycles';
import type { WaitFacts } from './waitFacts';

/** A thread whose stack was read, with what its values tell. */
export interface ReadThread extends ThreadStack {
  readonly id: number;
  readonly facts: WaitFacts;
}

/** A thread with a name of its own, and the name of the one that it waits for. */
export interface NamedThread extends ThreadStack {
  readonly id: number;
  readonly ownerId: number | undefined;
}

/**
 * Gives each thread a name of its own: threads of C++ all have that of the program.
 * @param all all threads of the program, those that were not read too
 */
export function namedThreads(
  threads: readonly ReadThread[],
  all: readonly { readonly id: number; readonly name: string }[],
): readonly NamedThread[] {
  const times = new Map<string, number>();
  for (const { name } of all) times.set(name, (times.get(name) ?? 0) + 1);
  const names = new Map(
    all.map(({ id, name }) => [id, times.get(name) === 1 ? name : `${name} (${id})`]),
  );
  return threads.map(({ facts: { ownerId, ...facts }, ...thread }) => {
    const owner =
      ownerId === undefined
        ? undefined
        : (names.get(ownerId) ?? `${ownerId}, which is no thread of this program or has ended`);
    const wait: Partial<Wait> = defined({ ...facts, owner });
    return { ...thread, name: names.get(thread.id) ?? thread.name, ownerId, wait };
  });
}

/** The threads that wait for each other in cycles. Waits that end by themselves are no part of one. */
export function deadlocksOf(threads: readonly NamedThread[]): readonly Locked[] {
  const waiting = new Map(
    threads.filter((each) => waitOf(each).limited !== true).map((each) => [each.id, each]),
  );
  const waits = [...waiting.values()].flatMap(({ id, ownerId }) =>
    ownerId === undefined ? [] : [{ id, ownerId }],
  );
  return cyclesOf(waits)
    .flat()
    .slice(0, MOST.groups)
    .flatMap((id): readonly Locked[] => {
      const thread = waiting.get(id);
      if (thread === undefined) return [];
      const { kind, what, owner, file_path: path, line_number: line } = waitOf(thread);
      const entry = { thread: thread.name, waits_for: what ?? kind, held_by: owner ?? '' };
      return [defined({ ...entry, file_path: path, line_number: line })];
    });
}
