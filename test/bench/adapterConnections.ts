import { ChildProcess } from 'node:child_process';
import * as net from 'node:net';
import type { Readable, Writable } from 'node:stream';

/** The streams that carry messages to and from an adapter. */
export interface Connection {
  readonly input: Writable;
  readonly output: Readable;
}

const ADAPTER = /^debugpy\.adapter$|lldb-dap/;

/**
 * Records every connection that is made from now on, including those of VS Code to debug adapters: over a socket
 * (js-debug, Delve) and over the standard streams of a process (debugpy, lldb-dap).
 */
export function watchConnections(): {
  connections: () => readonly Connection[];
  restore: () => void;
} {
  const sockets = new Set<net.Socket>();
  const processes = new Set<ChildProcess>();
  const restore = [
    before(net.Socket.prototype, 'connect', (socket) => sockets.add(socket)),
    // All functions that start a process call this method, which the types do not declare.
    before(ChildProcess.prototype, 'spawn', (child) => processes.add(child)),
  ];
  return {
    connections: () => [
      ...[...sockets].map((socket) => ({ input: socket, output: socket })),
      ...[...processes].flatMap(({ stdin, stdout, spawnargs }) =>
        stdin === null || stdout === null || !spawnargs.some((each) => ADAPTER.test(each))
          ? []
          : [{ input: stdin, output: stdout }],
      ),
    ],
    restore: () => restore.forEach((each) => each()),
  };
}

/** Calls `note` with the object whenever a method of a class is called; the returned function restores the method. */
function before<T extends object>(
  prototype: T,
  method: string,
  note: (object: T) => void,
): () => void {
  const descriptor = Object.getOwnPropertyDescriptor(prototype, method);
  const original: unknown = descriptor?.value;
  if (descriptor === undefined || typeof original !== 'function')
    throw new Error(`there is no method ${method}`);
  Object.defineProperty(prototype, method, {
    ...descriptor,
    value: function (this: T, ...args: unknown[]): unknown {
      note(this);
      return Reflect.apply(original, this, args);
    },
  });
  return () => Object.defineProperty(prototype, method, descriptor);
}
