import type { Frame } from '../../debugger/inspection/stackAndVariables';
import { addressIn, type Evaluate, type WaitFacts } from './waitFacts';
import { plainName } from './waitByNames';

/** A pointer to what is waited for, and the expression of its structure of glibc, up to the member. */
interface Pointed {
  readonly pointer: string;
  readonly structure: string;
}

const of = (
  pointer: string,
  names: readonly string[],
  structure = `${pointer}->`,
): readonly (readonly [string, Pointed])[] => names.map((name) => [name, { pointer, structure }]);

type Functions = ReadonlyMap<string, Pointed>;

/** Functions of glibc and of libstdc++ that lock a mutex. */
const MUTEXES: Functions = new Map([
  ...of('mutex', [
    'lll_mutex_lock_optimized',
    'pthread_mutex_lock',
    'pthread_mutex_lock_full',
    'pthread_mutex_cond_lock',
  ]),
  ...of('__mutex', ['gthread_mutex_lock', 'gthread_recursive_mutex_lock']),
  ...of('this', ['std::mutex::lock', 'std::recursive_mutex::lock'], 'this->_M_mutex.'),
]);

/** Functions of glibc that lock a lock for readers and writers. */
const SHARED: Functions = new Map(
  of('rwlock', [
    'pthread_rwlock_rdlock_full64',
    'pthread_rwlock_wrlock_full64',
    'pthread_rwlock_rdlock',
    'pthread_rwlock_wrlock',
  ]),
);

const CONDITIONS: Functions = new Map([
  ...of('cond', ['pthread_cond_wait', 'pthread_cond_wait_common']),
  ...of('this', ['std::condition_variable::wait']),
]);

const JOINS: ReadonlySet<string> = new Set(['pthread_clockjoin_ex', 'pthread_timedjoin_ex']);

/** A function in which the kernel interrupted the thread. What is below it waits no longer. */
const INTERRUPTED = /signal handler|restore_rt/;

/** What a thread of a program in C or C++ waits for, and who has it, as glibc notes it. */
export async function nativeWait(frames: readonly Frame[], evaluate: Evaluate): Promise<WaitFacts> {
  const [top] = frames;
  // A thread whose innermost function is that of the mutex itself may be about to get it.
  if (top === undefined || MUTEXES.has(bareName(top))) return {};
  if (frames.some(({ name }) => INTERRUPTED.test(name))) return {};
  return (
    (await locked(frames, evaluate, MUTEXES, 'mutex', '__owner')) ??
    (await locked(frames, evaluate, SHARED, 'read-write lock', '__cur_writer')) ??
    (await condition(frames, evaluate)) ??
    (await joined(frames, evaluate)) ??
    {}
  );
}

/** The lock with the thread that has it. A lock that readers have, or that is being handed over, notes none. */
async function locked(
  frames: readonly Frame[],
  evaluate: Evaluate,
  names: Functions,
  what: string,
  field: string,
): Promise<WaitFacts | undefined> {
  const found = await pointed(frames, evaluate, names);
  if (found === undefined) return undefined;
  const { frame, structure, address } = found;
  const owner = wholeIn(await evaluate(frame, `${structure}__data.${field}`));
  return {
    kind: 'lock',
    what: `${what} at ${address}`,
    ...(owner !== undefined && owner > 0 && { ownerId: owner }),
  };
}

async function condition(
  frames: readonly Frame[],
  evaluate: Evaluate,
): Promise<WaitFacts | undefined> {
  const found = await pointed(frames, evaluate, CONDITIONS);
  return found && { kind: 'condition', what: `condition variable at ${found.address}` };
}

/** The thread whose end is waited for. Its id is 0 once it has ended. */
async function joined(
  frames: readonly Frame[],
  evaluate: Evaluate,
): Promise<WaitFacts | undefined> {
  const frame = frames.find((each) => isReadable(each) && JOINS.has(bareName(each)));
  if (frame === undefined) return undefined;
  const thread = wholeIn(await evaluate(frame, 'pd->tid'));
  const until = addressIn(await evaluate(frame, 'abstime'));
  // Without the time limit, the wait might end by itself.
  if (thread === undefined || thread <= 0 || until === undefined) return { kind: 'join' };
  return { kind: 'join', ownerId: thread, ...(until !== '0x0' && { limited: true }) };
}

/** The innermost frame in which what is waited for can be read. */
async function pointed(
  frames: readonly Frame[],
  evaluate: Evaluate,
  names: Functions,
): Promise<(Pointed & { readonly frame: Frame; readonly address: string }) | undefined> {
  for (const frame of frames) {
    const found = names.get(bareName(frame));
    if (found === undefined || !isReadable(frame)) continue;
    const address = addressIn(await evaluate(frame, found.pointer));
    if (address !== undefined) return { ...found, frame, address };
  }
  return undefined;
}

/** Without symbols, the name of a parameter could be that of a variable of the program. */
function isReadable({ path, sourceName }: Frame): boolean {
  return path !== undefined || sourceName !== undefined;
}

/** The name of a function of glibc without the prefixes of its aliases. */
function bareName({ name }: Frame): string {
  return plainName(name).replace(/^(?:::)?(?:__GI_)?_{0,3}/, '');
}

function wholeIn(text: string | undefined): number | undefined {
  return /^\d{1,10}$/.test(text ?? '') ? Number(text) : undefined;
}
