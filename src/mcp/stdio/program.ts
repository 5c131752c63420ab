import path from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { answersToTooDeep, TOO_DEEP } from '../shared/nesting';
import { homeFolder } from '../windows/home';
import { isMessage, type Message } from '../windows/messageChannel';
import { RELOAD_LIMIT_MS, WindowRegistry } from '../windows/registry';
import type { Wish } from '../windows/routing';
import { Bridge } from './bridge';
import { OfflineAnswers } from './offlineAnswers';

/** The time that closing the session may take, in milliseconds. */
const CLOSE_LIMIT_MS = 1000;

function wishOf(): Wish {
  const { workspace } = parseArgs({
    options: { workspace: { type: 'string' } },
    strict: false,
    allowPositionals: true,
  }).values;
  if (typeof workspace !== 'string' || workspace === '') return { folder: process.cwd() };
  // A name or an id contains no separator.
  return {
    workspace:
      /[\\/]|^\.{1,2}$/.test(workspace) && !workspace.startsWith('file:')
        ? path.resolve(workspace)
        : workspace,
  };
}

function write(message: Message): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

/**
 * Runs the bridge on this process's input and output until its client exits.
 * @param reloadLimitMs the time to wait for a lost window, in milliseconds
 */
export async function runBridge(reloadLimitMs = RELOAD_LIMIT_MS): Promise<void> {
  const home = homeFolder();
  const bridge = new Bridge({
    registry: new WindowRegistry(home),
    wish: wishOf(),
    offline: new OfflineAnswers(home),
    reloadLimitMs,
    write,
  });
  const ready = bridge.start();
  const end = (): void => {
    setTimeout(() => process.exit(0), CLOSE_LIMIT_MS).unref();
    void bridge.close().finally(() => process.exit(0));
  };
  process.stdout.on('error', end);
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    if (line.trim() === '') return;
    void ready.then(() => {
      for (const message of messagesIn(line)) bridge.receive(message);
    });
  });
  lines.once('close', end);
  await ready;
}

/**
 * The message in a line, or the batch that clients of 2025-03-26 may send. An invalid line is answered with an error.
 */
function messagesIn(line: string): readonly Message[] {
  try {
    const value: unknown = JSON.parse(line);
    const answers = answersToTooDeep(value);
    if (answers !== undefined) {
      for (const answer of answers) write(answer);
      if (answers.length === 0) write({ jsonrpc: '2.0', id: null, error: TOO_DEEP });
      return [];
    }
    const messages = Array.isArray(value) ? value.map((message: unknown) => message) : [value];
    if (messages.length > 0 && messages.every(isMessage)) return messages;
    write({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32_600, message: 'This is not a JSON-RPC 2.0 message.' },
    });
  } catch {
    write({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32_700, message: 'This line is not JSON.' },
    });
  }
  return [];
}
