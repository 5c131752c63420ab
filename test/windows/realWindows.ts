import { strict as assert } from 'node:assert';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { Attendance } from '../../src/mcp/windows/attendance';
import { WindowRegistry, type WindowEntry } from '../../src/mcp/windows/registry';

const ROOT = path.resolve(__dirname, '../../..');
const PACKAGE = path.join(ROOT, '.vscode-test/agent-debugger.vsix');

export type Answer = Record<string, unknown> & { status: string; code?: string };

export async function use(
  client: Client,
  name: string,
  input: Record<string, unknown> = {},
): Promise<Answer> {
  return (await client.callTool({ name, arguments: input })).structuredContent as Answer;
}

/** The name of the configuration that only one window has, or the code of an error. */
export async function answering(client: Client): Promise<string> {
  const answer = await use(client, 'get_debugger_configurations');
  return answer.status === 'error'
    ? (answer.code ?? '')
    : ((answer['configurations'] as { name: string }[])[0]?.name ?? '');
}

/** The fields of an entry that a failed wait shows. */
function shown({ id, folders, serves }: WindowEntry): object {
  return { id, folders, serves };
}

/** Real VS Code with the packaged extension, with the windows that a test opens and external clients. */
export class RealWindows {
  readonly root = realpathSync(mkdtempSync(path.join(tmpdir(), 'agent-debugger-real-')));
  readonly home = path.join(this.root, 'home');
  readonly registry = new WindowRegistry(this.home);
  private child: ChildProcessByStdio<Writable, Readable, null> | undefined;
  private readonly waiting = new Map<
    number,
    (answer: { result?: unknown; error?: string }) => void
  >();
  private count = 0;
  private readonly clients: Client[] = [];

  constructor(
    private readonly port: number,
    /** `remote`: the kind of remote side that the windows are on, as VS Code names it. */
    private readonly how: { readonly autoStart: boolean; readonly remote?: string } = {
      autoStart: true,
    },
  ) {}

  async start(): Promise<void> {
    assert.ok(
      existsSync(PACKAGE),
      'npm run package -- --out .vscode-test/agent-debugger.vsix comes first',
    );
    await this.registry.prepare();
    const settings = JSON.stringify({
      'agentDebugger.mcp.autoStart': this.how.autoStart,
      'agentDebugger.mcp.port': this.port,
    });
    const child = spawn(
      process.execPath,
      [
        path.join(ROOT, 'scripts/vscodeHost/windows.mjs'),
        '--package',
        PACKAGE,
        '--settings',
        settings,
        '--home',
        this.home,
        ...(this.how.remote === undefined ? [] : ['--remote', this.how.remote]),
      ],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    );
    this.child = child;
    const started = new Promise<void>((resolve, reject) => {
      this.waiting.set(0, () => resolve());
      child.once('exit', (code) => reject(new Error(`the host ended with ${code ?? 'a signal'}`)));
    });
    createInterface({ input: child.stdout }).on('line', (line) => {
      const answer = JSON.parse(line) as { id: number; result?: unknown; error?: string };
      this.waiting.get(answer.id)?.(answer);
      this.waiting.delete(answer.id);
    });
    await started;
  }

  async end(): Promise<void> {
    await Promise.all(this.clients.splice(0).map((each) => each.close()));
    const { child } = this;
    if (child !== undefined && child.exitCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.stdin.end();
      await ended;
    }
    rmSync(this.root, { recursive: true, force: true });
  }

  /** Creates a folder with its own configuration, whose name shows which window answers. */
  folder(name: string): string {
    const folder = path.join(this.root, name);
    cpSync(path.join(ROOT, 'test/fixtures/node'), folder, { recursive: true });
    writeFileSync(
      path.join(folder, '.vscode/launch.json'),
      JSON.stringify({
        configurations: [
          { name, type: 'node', request: 'launch', program: '${workspaceFolder}/src/loop.js' },
        ],
      }),
    );
    return folder;
  }

  /** Opens a folder in a window, and waits until clients can reach the window. */
  async open(folder: string): Promise<WindowEntry> {
    await this.show(folder);
    return await this.entryOf(folder);
  }

  async show(folder: string): Promise<void> {
    await this.ask('open', { folder });
  }

  async close(folder: string): Promise<void> {
    await this.ask('close', { folder });
  }

  async reload(folder: string): Promise<void> {
    await this.ask('reload', { folder });
  }

  /** Waits until the accessible label of the window's status bar item has the text. @returns the text that it shows */
  async says(folder: string, text: string): Promise<string> {
    return String(await this.ask('says', { folder, text }));
  }

  /** Chooses an entry of the menu behind the status bar item. */
  async choose(folder: string, text: string): Promise<void> {
    await this.ask('choose', { folder, text });
  }

  /** Opens that menu. @returns its title */
  async menu(folder: string): Promise<string> {
    return String(await this.ask('menu', { folder }));
  }

  /** Chooses an entry of the open list. */
  async pick(folder: string, text: string): Promise<void> {
    await this.ask('pick', { folder, text });
  }

  /** Presses a button of the dialog. */
  async press(folder: string, text: string): Promise<void> {
    await this.ask('press', { folder, text });
  }

  /** Waits until a notification shows the text. */
  async tells(folder: string, text: string): Promise<void> {
    await this.ask('tells', { folder, text });
  }

  /** Closes the open list. */
  async escape(folder: string): Promise<void> {
    await this.ask('escape', { folder });
  }

  /** Waits until the open list shows the text. @returns all its text */
  async lists(folder: string, text: string): Promise<string> {
    return String(await this.ask('lists', { folder, text }));
  }

  async picture(folder: string, name: string): Promise<void> {
    await this.ask('picture', { folder, path: path.join(ROOT, '.vscode-test/pictures', name) });
  }

  /** Resolves with the window's entry when it meets the condition. */
  async entryOf(
    folder: string,
    expected: (entry: WindowEntry) => boolean = () => true,
  ): Promise<WindowEntry> {
    return await this.until((entries) =>
      entries.find((each) => each.folders.includes(folder) && expected(each)),
    );
  }

  /** Resolves with the result of a search in the registry when there is one. Fails after 4 minutes with the last entries, because three windows that open at once take long on a busy machine. */
  async until<Found>(
    find: (entries: readonly WindowEntry[]) => Found | undefined | Promise<Found | undefined>,
  ): Promise<Found> {
    let last: readonly WindowEntry[] = [];
    return await new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(limit);
        watch.close();
      };
      const search = async (): Promise<void> => {
        last = await this.registry.list();
        const found = await find(last);
        if (found === undefined) return;
        end();
        resolve(found);
      };
      const read = (): void => void search().catch(reject);
      const limit = setTimeout(() => {
        end();
        reject(new Error(`not there after 240 s: ${JSON.stringify(last.map(shown))}`));
      }, 240_000);
      const watch = this.registry.watch(read);
      read();
    });
  }

  /** Resolves with the milliseconds until another window than the given one has the clients' port and answers on it. */
  async takenOver(from: WindowEntry): Promise<number> {
    const began = performance.now();
    await this.until(async (entries) => {
      // A window's entry names the port before the window has it. Only the window itself reports whether it has it.
      const candidates = entries.filter(
        (entry) => entry.id !== from.id && entry.serves === this.port,
      );
      const answers = await Promise.all(candidates.map((entry) => this.isServing(entry)));
      return answers.includes(true) || undefined;
    });
    return performance.now() - began;
  }

  private async isServing(window: WindowEntry): Promise<boolean> {
    const attendance = new Attendance(window, this.port, {
      answerLimitMs: 60_000,
      onAnswer: () => undefined,
      onEnd: () => undefined,
    });
    const answer = await attendance.answer;
    attendance.close();
    return answer === 'attends';
  }

  key(): string {
    return readFileSync(path.join(this.home, 'key'), 'utf8');
  }

  async connect({
    roots,
    query = '',
  }: { roots?: readonly string[]; query?: string } = {}): Promise<Client> {
    const client = new Client(
      { name: 'outside', version: '1' },
      { capabilities: roots === undefined ? {} : { roots: {} } },
    );
    if (roots !== undefined)
      client.setRequestHandler(ListRootsRequestSchema, () => ({
        roots: roots.map((each) => ({ uri: `file://${each}` })),
      }));
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${this.port}/mcp${query}`), {
        requestInit: { headers: { Authorization: `Bearer ${this.key()}` } },
      }),
    );
    this.clients.push(client);
    return client;
  }

  /** Connects through the bridge at its stable path, as a client's configuration names it. */
  async bridge(cwd: string): Promise<Client> {
    const client = new Client({ name: 'stdio', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [path.join(this.home, 'stdio.js')],
        cwd,
        env: { AGENT_DEBUGGER_HOME: this.home },
        stderr: 'inherit',
      }),
    );
    this.clients.push(client);
    return client;
  }

  private async ask(action: string, input: object): Promise<unknown> {
    const id = ++this.count;
    const answer = new Promise<{ result?: unknown; error?: string }>((resolve) =>
      this.waiting.set(id, resolve),
    );
    this.child?.stdin.write(`${JSON.stringify({ id, action, ...input })}\n`);
    const { result, error } = await answer;
    assert.equal(error, undefined, `${action} ${JSON.stringify(input)}: ${error ?? ''}`);
    return result;
  }
}
