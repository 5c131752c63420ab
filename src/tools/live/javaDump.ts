import { keptText } from '../../debugger/texts';

/** A thread of a Java program, as the JDK describes it in a thread dump. */
export interface JavaThread {
  readonly id: number;
  readonly name: string;
  /** `Thread.State`, such as `BLOCKED`. */
  readonly state: string;
  /** The innermost first. The virtual machine's own threads have none. */
  readonly frames: readonly JavaFrame[];
  readonly waits: JavaWait | undefined;
  /** The objects whose monitors or locks the thread has. */
  readonly has: ReadonlySet<string>;
}

export interface JavaFrame {
  /** The class with its package. */
  readonly type: string;
  readonly method: string;
  readonly file: string | undefined;
  readonly line: number;
  readonly isNative: boolean;
}

export interface JavaWait {
  /** `monitor`: to enter it. `notify`: until it is notified. `park`: until another thread lets it go on. */
  readonly kind: 'monitor' | 'notify' | 'park';
  readonly address: string;
  /** The class of the object. */
  readonly type: string;
}

/** What is being read: its lists grow. */
interface Reading extends JavaThread {
  waits: JavaWait | undefined;
  state: string;
  readonly frames: JavaFrame[];
  readonly has: Set<string>;
  /** Those whose monitors the thread has given up until it is notified. */
  readonly leaves: Set<string>;
}

const WAITS: readonly (readonly [text: string, kind: JavaWait['kind']])[] = [
  ['- waiting to lock <', 'monitor'],
  ['- waiting to re-lock in wait() <', 'monitor'],
  ['- waiting on <', 'notify'],
  ['- parking to wait for  <', 'park'],
];

/**
 * Reads the threads of a dump that the JDK has written (`Thread.print -l`). The virtual machine writes all of it at one
 * moment. Returns none for any other text.
 */
export function threadsOfDump(text: string): readonly JavaThread[] {
  const threads: Reading[] = [];
  let current: Reading | undefined;
  for (const line of text.split(/\r?\n/)) {
    // What follows repeats the threads of a deadlock.
    if (line.startsWith('Found ') && line.includes('Java-level deadlock')) break;
    if (line.startsWith('"')) {
      current = threadIn(line);
      if (current !== undefined) threads.push(current);
    } else if (current !== undefined) readLine(current, line.trim());
  }
  for (const { has, leaves } of threads) for (const each of leaves) has.delete(each);
  return threads;
}

/** Reads the first line of a thread. Those that run no Java have no number. */
function threadIn(line: string): Reading | undefined {
  // The name may contain quotes.
  const end = line.lastIndexOf('" #');
  const id = /^\d{1,15}/.exec(line.slice(end + 3))?.[0];
  if (end <= 0 || id === undefined) return undefined;
  const name = keptText(line.slice(1, end)) ?? '';
  const lists = { frames: [], has: new Set<string>(), leaves: new Set<string>() };
  return { id: Number(id), name, state: '', waits: undefined, ...lists };
}

function readLine(thread: Reading, line: string): void {
  if (line.startsWith('at ')) {
    const frame = frameIn(line.slice(3));
    if (frame !== undefined) thread.frames.push(frame);
  } else if (line.startsWith(STATE))
    thread.state = /^\w{0,20}/.exec(line.slice(STATE.length))?.[0] ?? '';
  else if (line.startsWith('- locked <') || line.startsWith('- <')) {
    const object = objectIn(line);
    if (object !== undefined) thread.has.add(object.address);
  } else readWait(thread, line);
}

function readWait(thread: Reading, line: string): void {
  const [, kind] = WAITS.find(([text]) => line.startsWith(text)) ?? [];
  const object = kind === undefined ? undefined : objectIn(line);
  if (kind === undefined || object === undefined) return;
  // The innermost is the one that the thread waits for.
  thread.waits ??= { kind, ...object };
  thread.leaves.add(object.address);
}

const STATE = 'java.lang.Thread.State: ';

/** Reads an object, such as `<0x000000069ec1a828> (a java.lang.Object)`. */
function objectIn(line: string): Omit<JavaWait, 'kind'> | undefined {
  const [, address, type] = /<0x0*([\da-f]{1,16})> \(a ([^()]{1,300})\)/.exec(line) ?? [];
  return address === undefined || type === undefined
    ? undefined
    : { address: `0x${address}`, type };
}

/** Reads a frame, such as `java.lang.Thread.run(java.base@17.0.15/Thread.java:840)`. */
function frameIn(text: string): JavaFrame | undefined {
  const open = text.lastIndexOf('(');
  const dot = text.lastIndexOf('.', open);
  if (open < 0 || dot < 0) return undefined;
  const place = text.slice(open + 1, -1);
  const [, file, line] =
    /^([^:]{1,200}):(\d{1,9})$/.exec(place.slice(place.lastIndexOf('/') + 1)) ?? [];
  return {
    // The virtual machine numbers the classes that it makes for lambdas.
    type: keptText(text.slice(0, dot).split('/')[0]) ?? '',
    method: keptText(text.slice(dot + 1, open)) ?? '',
    file,
    line: Number(line ?? 0),
    isNative: place.endsWith('Native Method'),
  };
}
