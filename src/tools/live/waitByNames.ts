import type { Frame } from '../../debugger/inspection/stackAndVariables';
import { defined } from '../../util/defined';

interface NamedWait {
  readonly kind: string;
  readonly what?: string;
  readonly file_path?: string;
  readonly line_number?: number;
  readonly limited?: true;
}

/**
 * The functions in which threads wait, by the names that debuggers show, without parameters. The kind `limited` ends by
 * itself. Names of functions that call others of this list come first.
 */
const WAITS: readonly (readonly [names: readonly string[], kind: string, what?: string])[] = [
  // Go. The innermost frames of a goroutine that waits are those of the scheduler.
  [['sync.(*RWMutex).Lock', 'sync.(*RWMutex).RLock'], 'lock', 'sync.RWMutex'],
  [['sync.(*Mutex).Lock', 'internal/sync.(*Mutex).Lock'], 'lock', 'sync.Mutex'],
  [['sync.(*WaitGroup).Wait'], 'join', 'sync.WaitGroup'],
  [['sync.(*Cond).Wait'], 'condition', 'sync.Cond'],
  [['sync.(*Once).doSlow'], 'lock', 'sync.Once'],
  [['time.Sleep'], 'sleep'],
  [
    ['runtime.chanrecv', 'runtime.chanrecv1', 'runtime.chanrecv2'],
    'queue',
    'receive from a channel',
  ],
  [['runtime.chansend', 'runtime.chansend1'], 'queue', 'send to a channel'],
  [['runtime.selectgo'], 'queue', 'select of several channels'],
  [['runtime.block'], 'forever', 'select without cases'],
  [['os.(*Process).wait', 'os.(*Process).Wait'], 'process'],
  [
    ['internal/poll.(*FD).Accept', 'internal/poll.(*FD).Read', 'internal/poll.(*FD).Write'],
    'socket',
  ],
  [['runtime.netpollblock', 'internal/poll.runtime_pollWait', 'poll.runtime_pollWait'], 'socket'],
  // C and C++.
  [['std::thread::join', 'pthread_join', '__pthread_clockjoin_ex'], 'join'],
  [['__pthread_mutex_cond_lock'], 'lock'],
  [
    [
      'std::condition_variable::wait',
      'pthread_cond_wait',
      '___pthread_cond_wait',
      '__pthread_cond_wait',
    ],
    'condition',
  ],
  [['std::mutex::lock', 'pthread_mutex_lock', '___pthread_mutex_lock', '__lll_lock_wait'], 'lock'],
  [
    [
      'pthread_rwlock_rdlock',
      'pthread_rwlock_wrlock',
      '___pthread_rwlock_rdlock',
      '___pthread_rwlock_wrlock',
    ],
    'lock',
  ],
  [['nanosleep', '__nanosleep', 'clock_nanosleep', '__clock_nanosleep'], 'sleep'],
  [['accept', '__libc_accept', 'recv', '__libc_recv', 'poll', '__poll', 'epoll_wait'], 'socket'],
  [['read', '__libc_read'], 'read', 'a file, a pipe or a socket'],
  [['waitpid', '__waitpid', 'wait4', '__wait4'], 'process'],
  // Java.
  [['Thread.join'], 'join'],
  [['Thread.sleep'], 'sleep'],
  [['ReentrantLock.lock', 'ReentrantLock$Sync.lock'], 'lock', 'ReentrantLock'],
  [['CountDownLatch.await', 'CyclicBarrier.await', 'Semaphore.acquire'], 'condition'],
  [['LinkedBlockingQueue.take', 'ArrayBlockingQueue.take', 'LinkedBlockingQueue.put'], 'queue'],
  [['FutureTask.get', 'CompletableFuture.get', 'CompletableFuture.join'], 'future'],
  [['ProcessImpl.waitFor'], 'process'],
  [['Object.wait', 'Object.wait0'], 'condition', 'the monitor of an object'],
  [['Net.accept', 'Net.poll', 'SocketDispatcher.read0', 'EPoll.wait', 'KQueue.poll'], 'socket'],
  [['FileInputStream.readBytes', 'FileInputStream.read0'], 'read', 'a file, a pipe or a socket'],
];

const KINDS = new Map(
  WAITS.flatMap(([names, kind, what], rank) =>
    names.map((name) => [name, { kind, what, rank }] as const),
  ),
);

/** The number of innermost frames among which a waiting function is looked for. */
const NEAR = 12;

/**
 * What a thread waits for, by the names of its innermost functions. A function of the person's own among them ends the
 * search: it runs, whoever has called it.
 * @returns `unknown` if no name is known: the thread may run, or wait in a function that is not in the list
 */
export function waitByNames(frames: readonly Frame[]): NamedWait {
  const at = callerOf(frames);
  const known = innermostOf(frames)
    .map(({ name }) => KINDS.get(plainName(name)))
    .filter((each) => each !== undefined)
    .sort((one, other) => one.rank - other.rank)[0];
  return defined({
    kind: known?.kind ?? 'unknown',
    what: known?.what,
    limited: known?.kind === 'sleep' ? true : undefined,
    file_path: at?.path,
    line_number: at?.line,
  });
}

/** The innermost frames up to the first one of the person's own code, which is not among them. */
export function innermostOf(frames: readonly Frame[]): readonly Frame[] {
  const own = callerOf(frames);
  return frames.slice(0, own === undefined ? NEAR : Math.min(NEAR, frames.indexOf(own)));
}

/** The name without parameters, a library before it and a version behind it. */
export function plainName(name: string): string {
  const [before = ''] = name.replace(/^[^!(]{0,200}!/, '').split(/\((?!\*)/);
  const [plain = ''] = before.split('@');
  return plain.trim().replace(/^__GI_/, '');
}

/** The innermost frame that is not one of a library, as far as its path tells. */
function callerOf(frames: readonly Frame[]): Frame | undefined {
  const root = goRootOf(frames);
  return frames.find(
    ({ path, subtle }) =>
      path !== undefined &&
      !subtle &&
      !LIBRARY.test(path) &&
      (root === undefined || !path.startsWith(root)),
  );
}

/** The folder of Go's own sources, which is where its scheduler is. */
function goRootOf(frames: readonly Frame[]): string | undefined {
  for (const { name, path } of frames)
    if (name.startsWith('runtime.') && path !== undefined) {
      const [root, file] = path.split(/[\\/]src[\\/]runtime[\\/]/);
      if (root !== undefined && file !== undefined)
        return path.slice(0, -file.length - 'runtime/'.length);
    }
  return undefined;
}

/** Folders of the sources of libraries. glibc's are relative. */
const LIBRARY =
  /(?:^(?:\.[\\/])?|[\\/])(?:usr[\\/](?:include|lib|src|local[\\/]go)|node_modules|pkg[\\/]mod|go[\\/]src|sysdeps|nptl|csu)[\\/]/;
