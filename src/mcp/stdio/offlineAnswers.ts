import path from 'node:path';
import { readRegularFile } from '../shared/regularFile';
import type { Message } from '../windows/messageChannel';
import { bridgeWords, offlinePath, type Offline } from '../windows/bridgeOffline';
import type { WindowEntry } from '../windows/registry';

type Fields = Readonly<Record<string, unknown>>;

const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

const EMPTY: Fields = {
  'tools/list': { tools: [] },
  'prompts/list': { prompts: [] },
  'resources/list': { resources: [] },
  'resources/templates/list': { resourceTemplates: [] },
};

const HINT =
  'Ask the person to open the folder in VS Code and to start the MCP server (MCP in the status bar, “Start the MCP server”; or the setting agentDebugger.mcp.autoStart). The connection comes by itself: repeat the call then.';

/** The answers of a bridge that has no window: the lists as they were, and of calls what is missing. */
export class OfflineAnswers {
  constructor(private readonly home: string) {}

  async answer(request: Message, reason: Fields | undefined): Promise<Message> {
    const { id, method = '' } = request;
    const left = await this.read();
    const reply = (result: Fields): Message => ({ jsonrpc: '2.0', id, result });
    if (method === 'initialize') {
      const asked = request.params?.['protocolVersion'];
      const protocolVersion = VERSIONS.find((each) => each === asked) ?? VERSIONS[0];
      return reply({
        capabilities: { tools: { listChanged: true } },
        serverInfo: {
          name: 'agent-debugger',
          title: 'Agent Debugger',
          version: left.version ?? '0',
        },
        ...left.initialize,
        protocolVersion,
      });
    }
    if (method === 'ping') return reply({});
    if (method in EMPTY) return reply(fieldsOf(left.lists?.[method] ?? EMPTY[method]));
    const why = reason ?? (await this.none(undefined, []));
    if (method === 'tools/call')
      return reply({
        content: [{ type: 'text', text: JSON.stringify(why) }],
        structuredContent: why,
        isError: true,
      });
    return {
      jsonrpc: '2.0',
      id,
      error: {
        code: -32_000,
        message: `${String(why['message'])} ${String(why['hint'])}`,
        data: { code: why['code'] },
      },
    };
  }

  async none(workspace: string | undefined, windows: readonly WindowEntry[]): Promise<Fields> {
    const words = await this.words();
    const message =
      workspace === undefined || windows.length === 0
        ? words.noWindow
        : words.noSuchWindow.replace('{0}', workspace);
    return {
      status: 'error',
      code: 'no_window',
      message,
      hint: HINT,
      ...(windows.length === 0 ? {} : { windows: viewsOf(windows) }),
    };
  }

  async lost(window: WindowEntry, windows: readonly WindowEntry[]): Promise<Fields> {
    const words = await this.words();
    const name =
      window.folders.map((each) => path.basename(each)).join(', ') || window.name || window.editor;
    return {
      status: 'error',
      code: 'window_closed',
      message: words.lost.replace('{0}', name),
      hint:
        windows.length === 0
          ? HINT
          : 'Repeat the call to go on: in that window if it is open again, else in one of windows.',
      windows: viewsOf(windows),
    };
  }

  private async words(): Promise<ReturnType<typeof bridgeWords>> {
    const english = bridgeWords();
    const left = (await this.read()).words;
    const said = (name: keyof typeof english): string =>
      typeof left?.[name] === 'string' ? left[name] : english[name];
    return { noWindow: said('noWindow'), noSuchWindow: said('noSuchWindow'), lost: said('lost') };
  }

  private async read(): Promise<Partial<Offline>> {
    try {
      const value: unknown = JSON.parse(String(await readRegularFile(offlinePath(this.home))));
      const { version, initialize, lists, words } = fieldsOf(value);
      return {
        ...(typeof version === 'string' ? { version } : {}),
        initialize: fieldsOf(initialize),
        lists: fieldsOf(lists),
        words: fieldsOf(words),
      };
    } catch {
      return {};
    }
  }
}

function viewsOf(windows: readonly WindowEntry[]): readonly Fields[] {
  return windows.map(({ id, name, folders, editor }) => ({ window_id: id, name, folders, editor }));
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
