import { waitOf, type ThreadStack } from './hangReport';

/** Says what the stacks and their values do not tell. */
export function aboutThreads(threads: readonly ThreadStack[], isGo: boolean): readonly string[] {
  const without = new Set(
    threads.map(waitOf).flatMap(({ kind, owner }) => (owner === undefined ? [kind] : [])),
  );
  const has = (...of: readonly string[]): boolean => of.some((kind) => without.has(kind));
  return [
    ...(isGo && has('lock')
      ? [
          'Go does not note which goroutine has a mutex, so its holder is unknown. A deadlock is not ruled out: look for two groups in which each has locked what the other waits for.',
        ]
      : []),
    ...(!isGo && has('lock') ? ['Who has some of the locks is not known here.'] : []),
    ...(has('queue', 'condition', 'join', 'future') || (has('lock') && !isGo)
      ? ['Who ends the other waits is not known here, so a deadlock is not ruled out.']
      : []),
    ...(has('unknown')
      ? ['A thread of the kind unknown runs, or waits in a function that is not known to wait.']
      : []),
  ];
}
