/** The flags of `go test`, by what takes them. */
export interface GoFlags {
  /** Flags of the build. */
  readonly build: readonly string[];
  /** Flags and arguments of the test program. */
  readonly program: readonly string[];
  readonly tags: readonly string[];
  /** Flags that cannot be kept. */
  readonly dropped: readonly string[];
}

type Target = 'build' | 'program' | 'dropped';

/** The known flags, and whether a value follows. Dropped are those that select tests or change the report. */
const KNOWN: readonly (readonly [Target, isFollowed: boolean, names: string])[] = [
  ['build', false, 'race msan asan a n x work linkshared modcacherw buildvcs'],
  ['build', true, 'p mod modfile overlay ldflags asmflags compiler gccgoflags installsuffix'],
  ['build', true, 'pkgdir toolexec vet buildmode pgo'],
  ['program', false, 'short fullpath failfast paniconexit0 artifacts'],
  ['program', true, 'parallel cpu outputdir'],
  ['dropped', false, 'v json c i cover benchmem trimpath'],
  ['dropped', true, 'run skip count timeout list shuffle bench benchtime fuzz fuzztime o exec C'],
  ['dropped', true, 'fuzzminimizetime gcflags covermode coverpkg coverprofile cpuprofile trace'],
  ['dropped', true, 'memprofile memprofilerate blockprofile blockprofilerate mutexprofile'],
  ['dropped', true, 'mutexprofilefraction'],
];

const FLAGS: ReadonlyMap<string, { readonly target: Target; readonly isFollowed: boolean }> =
  new Map(
    KNOWN.flatMap(([target, isFollowed, names]) =>
      names.split(' ').map((name) => [name, { target, isFollowed }] as const),
    ),
  );

/** Sorts flags of `go test`. An unknown one is the program's own: `go test` passes it on. */
export function sortFlags(flags: readonly string[]): GoFlags {
  const sorted: Record<Target | 'tags', string[]> = {
    build: [],
    program: [],
    dropped: [],
    tags: [],
  };
  for (let at = 0; at < flags.length; at += 1) {
    const flag = flags[at] ?? '';
    if (/^--?args$/.test(flag)) {
      sorted.program.push(...flags.slice(at + 1));
      break;
    }
    const [, name = '', value] = /^--?(?:test\.)?(\w+)(?:=([^]*))?$/.exec(flag) ?? [];
    const { target, isFollowed = false } = FLAGS.get(name) ?? { target: 'program' };
    const next =
      value === undefined && (isFollowed || name === 'tags') ? flags[(at += 1)] : undefined;
    if (name === 'tags') sorted.tags.push(...tagsIn(value ?? next ?? ''));
    else {
      const isTesting = target === 'program' && FLAGS.has(name);
      const own = isTesting ? flag.replace(/^--?(?:test\.)?/, '-test.') : flag;
      sorted[target].push(own, ...(next === undefined ? [] : [next]));
    }
  }
  return sorted;
}

/** Reads a list of build tags. */
export function tagsIn(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((tag) => tag !== '');
}
