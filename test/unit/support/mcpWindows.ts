import { Confirmation } from '../../../src/mcp/server/confirmation';
import { ExposedTools } from '../../../src/tools/exposed';
import { strict as assert } from 'node:assert';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { McpWindow } from '../../../src/mcp/windows/mcpWindow';
import type { State } from '../../../src/mcp/windows/windowOptions';
import { bench, type Bench } from './services';
import { freePort } from '../../support/network';

export type Answer = {
  readonly status: string;
  readonly code?: string;
  readonly message?: string;
  readonly hint?: string;
} & Readonly<Record<string, unknown>>;

/** A window of a test, with real files and sockets and a scripted debugger. */
export interface TestWindow {
  readonly window: McpWindow;
  readonly bench: Bench;
  readonly folder: string;
  readonly states: State[];
  /** Resolves when the state is as expected, at once if it already is. */
  becomes(kind: State['kind'], holder?: string): Promise<State>;
  until(is: (state: State) => boolean): Promise<State>;
}

/** Windows, clients and the folder that they share. `end` removes all of them. */
export class TestWindows {
  readonly root = realpathSync(mkdtempSync(path.join(tmpdir(), 'agent-debugger-windows-')));
  readonly home = path.join(this.root, 'home');
  port = 0;
  /** The time limit for a window to answer another one. */
  answerLimitMs = 5000;
  private readonly windows: TestWindow[] = [];
  private readonly clients: Client[] = [];
  private stored: string | undefined;

  constructor(private readonly loopback?: readonly string[]) {}

  async prepare(): Promise<void> {
    this.port = await freePort();
  }

  make(
    name: string,
    {
      folders = [this.folder(name)],
      bridge,
    }: { folders?: readonly string[]; bridge?: string } = {},
  ): TestWindow {
    const on = bench();
    on.workspace.sources = [
      {
        kind: 'user_settings',
        folder: undefined,
        content: { value: { configurations: [{ name, type: 'test', request: 'launch' }] } },
      },
    ];
    const states: State[] = [];
    const listeners = new Set<() => void>();
    const window = new McpWindow(on.services, {
      mcp: {
        version: '1.2.3',
        maxChars: () => 7500,
        log: () => undefined,
        progressEveryMs: 50,
        tools: new ExposedTools(),
        confirmation: new Confirmation({
          isRequired: () => false,
          ask: () => Promise.resolve('declined'),
        }),
      },
      ...(this.loopback === undefined ? {} : { loopback: this.loopback }),
      home: this.home,
      port: () => this.port,
      key: {
        get: () => Promise.resolve(this.stored),
        store: (key) => {
          this.stored = key;
          return Promise.resolve();
        },
      },
      describe: () => ({ folders, name, editor: 'Test' }),
      bridge,
      reloadLimitMs: 300,
      answerLimitMs: this.answerLimitMs,
      onDidChange: (state) => {
        states.push(state);
        for (const each of [...listeners]) each();
      },
    });
    const until = (is: (state: State) => boolean): Promise<State> =>
      new Promise((resolve) => {
        const read = (): void => {
          if (!is(window.state)) return;
          listeners.delete(read);
          resolve(window.state);
        };
        listeners.add(read);
        read();
      });
    const becomes = (kind: State['kind'], holder?: string): Promise<State> =>
      until(
        (state) =>
          state.kind === kind &&
          (holder === undefined || (state as { holder?: string }).holder === holder),
      );
    const made = { window, bench: on, folder: folders[0] ?? '', states, becomes, until };
    this.windows.push(made);
    return made;
  }

  /** Opens a window that starts as it does with VS Code. */
  async open(name: string): Promise<TestWindow> {
    const made = this.make(name);
    await made.window.start({ fromOthers: false });
    return made;
  }

  folder(name: string): string {
    const folder = path.join(this.root, name);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  async connect({
    roots,
    query = '',
    name = 'test',
    key,
  }: {
    roots?: readonly string[];
    query?: string;
    name?: string;
    /** Default: the clients' key. */
    key?: string;
  } = {}): Promise<Client> {
    const [any] = this.windows;
    assert.ok(any);
    const client = new Client(
      { name, version: '1' },
      { capabilities: roots === undefined ? {} : { roots: {} } },
    );
    if (roots !== undefined)
      client.setRequestHandler(ListRootsRequestSchema, () => ({
        roots: roots.map((uri) => ({ uri })),
      }));
    const transport = new StreamableHTTPClientTransport(
      new URL(
        `http://${this.loopback === undefined ? '127.0.0.1' : '[::1]'}:${this.port}/mcp${query}`,
      ),
      {
        requestInit: {
          headers: { Authorization: `Bearer ${key ?? (await any.window.readKey())}` },
        },
      },
    );
    await client.connect(transport);
    this.clients.push(client);
    return client;
  }

  async end(): Promise<void> {
    await Promise.all(this.clients.splice(0).map((each) => each.close()));
    await Promise.all(this.windows.splice(0).map((each) => each.window.stop()));
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** Calls a tool. Asserts that its text and its structured content are the same. */
export async function use(
  client: Client,
  name: string,
  input: Record<string, unknown> = {},
  options: { signal?: AbortSignal; onprogress?: () => void } = {},
): Promise<Answer> {
  const result = (await client.callTool({ name, arguments: input }, undefined, options)) as {
    content: { text?: string }[];
    structuredContent?: Answer;
    isError?: boolean;
  };
  assert.ok(result.structuredContent, JSON.stringify(result));
  assert.deepEqual(JSON.parse(result.content[0]?.text ?? ''), result.structuredContent);
  assert.equal(result.isError === true, result.structuredContent.status === 'error');
  return result.structuredContent;
}

/** The name of the window that answers, or the code of the error. */
export async function answering(client: Client): Promise<string> {
  const answer = await use(client, 'get_debugger_configurations');
  return answer.status === 'error'
    ? (answer.code ?? '')
    : ((answer['configurations'] as { name: string }[])[0]?.name ?? '');
}
