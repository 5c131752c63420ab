import path from 'node:path';
import { textOf, type Fields } from '../protocol';
import type { Adapter } from './adapter';
import { plainFilter } from './adapterParts';

/**
 * The whole line that delve prints when the program ends. If a signal ended the program, the status is the negated
 * number of the signal.
 */
const EXIT = /^Process \d{1,10} has exited with status (-?\d{1,10})\s*$/;

/**
 * Returns the function that a call instruction names. Its address is relative: on x86-64 to the next instruction, on
 * AArch64 to the instruction itself, in units of four bytes.
 */
function calledAt(instruction: Fields): { name: string; address: string } | undefined {
  const name = /^CALL \$?(.+)\(SB\)$/.exec(textOf(instruction['instruction']) ?? '')?.[1];
  const bytes = Buffer.from(textOf(instruction['instructionBytes']) ?? '', 'hex');
  const from = /^0x[0-9a-f]{1,16}$/.exec(textOf(instruction['address']) ?? '')?.[0];
  if (name === undefined || from === undefined) return undefined;
  if (bytes.length === 5 && bytes[0] === 0xe8)
    return { name, address: hex(BigInt(from) + 5n + BigInt(bytes.readInt32LE(1))) };
  if (bytes.length === 4 && (bytes.readUInt32LE(0) & 0xfc000000) >>> 0 === 0x94000000)
    return { name, address: hex(BigInt(from) + BigInt((bytes.readInt32LE(0) << 6) >> 4)) };
  return undefined;
}

function hex(address: bigint): string {
  return `0x${address.toString(16)}`;
}

/** Reads an address that Delve shows as `4831232 = 0x49b800`. */
function addressIn(value: string): string | undefined {
  return / = (0x[\da-f]{1,16})$/.exec(value)?.[1];
}

/** Most records are on the stack of their goroutine, which the runtime moves when it grows. Its end stays the same. */
function recordAmong(values: readonly string[]): string | undefined {
  const [record, low, high] = values.map(addressIn);
  if (record === undefined || low === undefined || high === undefined) return undefined;
  const isOnStack = BigInt(record) >= BigInt(low) && BigInt(record) < BigInt(high);
  return isOnStack ? `-${BigInt(high) - BigInt(record)}` : record;
}

/** The Go debugger. */
export const delve: Adapter = {
  name: 'go',
  types: ['go'],
  seenIn: 'delve 1.20.2',
  languages: ['go'],
  extension: 'golang.go',

  // Since 1.26, and on by default. Older versions offer none, and always stop at both.
  exceptionFilters: [
    plainFilter('unrecovered-panic', 'Unrecovered Panics'),
    plainFilter('runtime-fatal-throw', 'Fatal Throws'),
  ],
  evaluatesBracesOnly: true,
  logsPlainVariables: true,
  mergesStops: true,
  waitsOf: 'goroutines',
  mostThreads: 1024,
  loggedCalls: {
    // The frame's offset on its goroutine's stack, which stays the same when the stack is moved.
    activation: 'runtime.frameoff',
    // A function's frame begins where the stack of its caller ends. Go's frames have a fixed size.
    calleeActivation: [process.arch === 'arm64' ? 'SP' : 'RSP', 'runtime.curg.stack.hi'],
    threadOf: (output) => {
      const goroutine = /^> \[Go (\d+)\]: /.exec(output)?.[1];
      return goroutine === undefined ? undefined : Number(goroutine);
    },
    isMissing: (value) => value.startsWith('{eval err: '),
    ends: {
      isReturn: (instruction) => /^RET\b/.test(instruction),
      allocated: (instruction) => {
        const bytes = /^(?:SUBQ? \$|ADDQ? \$-|MOVD\.W R30, -)(0x[\da-f]+)(?:, R?SP$|\(R?SP\)$)/;
        return Number(bytes.exec(instruction)?.[1] ?? 0);
      },
      called: calledAt,
      condition: (goroutine, activations) => {
        const isOne = activations.map((activation) => `runtime.frameoff == ${activation}`);
        const isThread = `runtime.curg.goid == ${goroutine}`;
        return isOne.length === 0 ? isThread : `${isThread} && (${isOne.join(' || ')})`;
      },
      isResult: (variable) => /^~r\d+$/.test(variable),
    },
  },
  // Delve stops at each hit, and names no breakpoint (1.27.2).
  failedCondition: ({ reason, text }) =>
    reason === 'exception'
      ? /^error evaluating expression: (\S.*)/.exec(text ?? '')?.[1]?.trim()
      : undefined,
  repeatsReferences: true,
  deferred: {
    name: 'runtime.curg._defer.fn',
    // A value of a function is a pointer to a structure that begins with the address of its code.
    address: '**(**uintptr)(uintptr(&runtime.curg._defer.fn))',
    record: ['uintptr(runtime.curg._defer)', 'runtime.curg.stack.lo', 'runtime.curg.stack.hi'],
    readRecord: recordAmong,
    read: addressIn,
  },
  panics: {
    frame: 'runtime.gopanic',
    expression: 'runtime.curg._panic.arg',
    read: (value) => {
      const shown = /^(?:interface \{\}|any)\(([^()]+)\) (.*)$/s.exec(value);
      if (shown === null) return undefined;
      const [, type = '', text = ''] = shown;
      return `panic: ${type === 'string' ? text : `${type} ${text}`}`;
    },
    // Go 1.22 and later versions have this field: the end of the frame whose deferred functions run.
    deferring: ['runtime.curg._panic.fp', 'runtime.curg.stack.hi'],
    readDeferring: ([frame = '', stack = '']) => {
      const end = /^unsafe\.Pointer\((0x[\da-f]+)\)$/.exec(frame)?.[1];
      // Such as `4096 = 0x1000`.
      const begin = /^\d+(?= = |$)/.exec(stack)?.[0];
      if (end === undefined || begin === undefined) return undefined;
      return String(BigInt(end) - BigInt(begin));
    },
  },

  // The adapter sends no `exited` event.
  printedExit: ({ category, output }) => {
    const code = category === 'console' ? EXIT.exec(output)?.[1] : undefined;
    return code === undefined ? undefined : { kind: 'exited', code: Number(code) };
  },

  // The adapter builds a package, which is a folder. Outside the workspace, a folder cannot be distinguished from a
  // file.
  launch: (program) => ({
    mode: 'debug',
    program: path.extname(program) === '.go' ? path.dirname(program) : program,
  }),
  // Since 1.26. Older versions ignore it, and the program finds no input.
  readingFrom: (configuration, file) => ({
    outputMode: 'remote',
    ...configuration,
    stdinFrom: file,
  }),
  listening: { executables: ['dlv'] },
  attach: ({ processId, host, port, paths }) => ({
    ...(port === undefined ? { mode: 'local', processId } : { mode: 'remote', host, port }),
    ...(paths.length === 0
      ? {}
      : { substitutePath: paths.map(({ local, remote }) => ({ from: local, to: remote })) }),
  }),
  // Since 1.26. The program's output reaches the session, and not only the adapter's own output.
  testProperties: { outputMode: 'remote' },
  testStops: { functionName: 'testing.(*common).Fail' },
};
