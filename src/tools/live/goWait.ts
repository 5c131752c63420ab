import type { Frame } from '../../debugger/inspection/stackAndVariables';
import { addressIn, type Evaluate, type WaitFacts } from './waitFacts';
import { plainName } from './waitByNames';

interface Waiting {
  readonly names: readonly string[];
  /** The parameter that points to what is waited for. */
  readonly variable: string;
  readonly kind: string;
  readonly what: string;
}

/** The functions of Go that wait, those first that call others of this list. */
const WAITING: readonly Waiting[] = [
  {
    names: ['sync.(*RWMutex).Lock', 'sync.(*RWMutex).RLock'],
    ...{ variable: 'rw', kind: 'lock', what: 'sync.RWMutex' },
  },
  { names: ['sync.(*Mutex).Lock'], variable: 'm', kind: 'lock', what: 'sync.Mutex' },
  { names: ['sync.(*WaitGroup).Wait'], variable: 'wg', kind: 'join', what: 'sync.WaitGroup' },
  { names: ['sync.(*Cond).Wait'], variable: 'c', kind: 'condition', what: 'sync.Cond' },
  {
    names: ['runtime.chanrecv'],
    ...{ variable: 'c', kind: 'queue', what: 'receive from the channel' },
  },
  { names: ['runtime.chansend'], variable: 'c', kind: 'queue', what: 'send to the channel' },
];

/** What a goroutine waits for, with its address: that of the mutex, of the channel, and so on. */
export async function goWait(frames: readonly Frame[], evaluate: Evaluate): Promise<WaitFacts> {
  for (const { names, variable, kind, what } of WAITING) {
    // The outermost of several: Go's own mutex is inside the one that programs use, at the same address.
    const frame = frames.findLast(({ name }) => names.includes(plainName(name)));
    if (frame === undefined) continue;
    const address = addressIn(await evaluate(frame, `uintptr(${variable})`));
    if (address === undefined) return {};
    if (address === '0x0') return { kind: 'forever', what: `${what}, which is nil` };
    const missing = kind === 'join' ? await countOfGroup(frame, evaluate) : undefined;
    return { kind, what: `${what} at ${address}${missing ?? ''}` };
  }
  return {};
}

/** The counter of a wait group is the upper half of its state, since Go 1.20. Older ones have no such field. */
async function countOfGroup(frame: Frame, evaluate: Evaluate): Promise<string | undefined> {
  const state = /^\d{1,20}/.exec((await evaluate(frame, 'wg.state.v')) ?? '')?.[0];
  if (state === undefined) return undefined;
  return `, which lacks ${BigInt(state) >> 32n} calls of Done`;
}

/** Whether a goroutine is one of Go's runtime itself. The main goroutine never is. */
export function isOfRuntime(frames: readonly Frame[], more: number | undefined): boolean {
  if (frames.length === 0 || (more ?? 0) > 0) return false;
  return frames.every(({ name }) => name.startsWith('runtime.') && name !== 'runtime.main');
}
