import { spawn } from 'node:child_process';
import { toolPath } from '../support/toolchain';
import { fields, numberOf } from '../../src/debugger/protocol';
import { inWorkspace, marked } from '../host/support/client';
import type { Language } from './calling';
import { RawClient } from './rawClient';

/** A raw client with its own adapter and program, without VS Code. */
export interface Alone {
  readonly client: RawClient;
  readonly threadId: number;
  stop(): Promise<void>;
}

/** Starts the same program, stopped at the same line. Undefined for js-debug, which only runs in VS Code. */
export async function startAlone(language: Language): Promise<Alone | undefined> {
  if (language.type !== 'debugpy') return undefined;
  const child = spawn(toolPath('python'), ['-m', 'debugpy.adapter'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const client = new RawClient({ input: child.stdin, output: child.stdout });
  await client.request('initialize', {
    adapterID: 'debugpy',
    linesStartAt1: true,
    columnsStartAt1: true,
    pathFormat: 'path',
  });
  const program = inWorkspace(language.work);
  const initialized = client.event('initialized');
  const launched = client.request('launch', {
    program,
    cwd: inWorkspace('.'),
    python: [toolPath('python')],
    console: 'internalConsole',
  });
  await initialized;
  await client.request('setBreakpoints', {
    source: { path: program },
    breakpoints: [{ line: marked(language.work, 'start') }],
  });
  const stopped = client.event('stopped');
  await client.request('configurationDone', {});
  await launched;
  const threadId = numberOf(fields((await stopped)['body'])['threadId']) ?? 0;
  await client.request('setBreakpoints', { source: { path: program }, breakpoints: [] });
  return {
    client,
    threadId,
    stop: async () => {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      await client.request('disconnect', { terminateDebuggee: true });
      child.kill();
      await gone;
    },
  };
}
