import path from 'node:path';
import { fields, textOf, type Fields } from '../../debugger/protocol';
import { defined } from '../../util/defined';
import { readRegularFile } from '../shared/regularFile';
import type { Message } from '../windows/messageChannel';
import { bridgeMessages, offlinePath, type Offline } from '../windows/bridgeOffline';
import type { WindowEntry } from '../windows/registry';

const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

const EMPTY: Fields = {
  'tools/list': { tools: [] },
  'prompts/list': { prompts: [] },
  'resources/list': { resources: [] },
  'resources/templates/list': { resourceTemplates: [] },
};

const HINT =
  'Ask the person to open the folder in VS Code and to start the MCP server (MCP in the status bar, “Start the MCP server”; or the setting agentDebugger.mcp.autoStart). It connects automatically. Then repeat the call.';

/** The message if no window has ever written the file. Most likely the extension is not installed. */
const NEVER_RUN =
  'VS Code’s extension “Agent Debugger” has not run on this machine yet. Ask the person to install it in VS Code first.';

/** The answers of a bridge without a window: the last known lists, and for calls the reason and the next action. */
export class OfflineAnswers {
  constructor(private readonly home: string) {}

  /** @param reason the reason why there is no window. Default: none is open */
  async answer(request: Message, reason: Fields | undefined): Promise<Message> {
    const { id, method = '' } = request;
    const left = await this.read();
    const reply = (result: Fields): Message => ({ jsonrpc: '2.0', id, result });
    if (method === 'initialize') return reply(introductionOf(left, request));
    if (method === 'ping') return reply({});
    if (method in EMPTY) return reply(fields(left.lists?.[method] ?? EMPTY[method]));
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

  /** The reason if there is no window, or not the requested one. */
  async none(workspace: string | undefined, windows: readonly WindowEntry[]): Promise<Fields> {
    const messages = await this.messages();
    const message =
      workspace === undefined || windows.length === 0
        ? messages.noWindow
        : messages.noSuchWindow.replace('{0}', workspace);
    return {
      status: 'error',
      code: 'no_window',
      message,
      hint: (await this.read()).version === undefined ? `${NEVER_RUN} ${HINT}` : HINT,
      ...(windows.length > 0 && { windows: viewsOf(windows) }),
    };
  }

  /** The reason if the client's window has closed. */
  async lost(window: WindowEntry, windows: readonly WindowEntry[]): Promise<Fields> {
    const messages = await this.messages();
    const name =
      window.folders.map((folder) => path.basename(folder)).join(', ') ||
      window.name ||
      window.editor;
    return {
      status: 'error',
      code: 'window_closed',
      message: messages.lost.replace('{0}', name),
      hint:
        windows.length === 0
          ? HINT
          : 'Repeat the call to continue: in that window if it is open again, otherwise in one of windows.',
      windows: viewsOf(windows),
    };
  }

  private async messages(): Promise<ReturnType<typeof bridgeMessages>> {
    const english = bridgeMessages();
    const left = (await this.read()).words;
    const message = (name: keyof typeof english): string => textOf(left?.[name]) ?? english[name];
    return {
      noWindow: message('noWindow'),
      noSuchWindow: message('noSuchWindow'),
      lost: message('lost'),
    };
  }

  /** The data that the last window has written. Empty if it cannot be read. */
  private async read(): Promise<Partial<Offline>> {
    try {
      const value: unknown = JSON.parse(String(await readRegularFile(offlinePath(this.home))));
      const { version, initialize, lists, words } = fields(value);
      return {
        ...defined({ version: textOf(version) }),
        initialize: fields(initialize),
        lists: fields(lists),
        words: fields(words),
      };
    } catch {
      return {};
    }
  }
}

function introductionOf(left: Partial<Offline>, request: Message): Fields {
  const requested = request.params?.['protocolVersion'];
  const protocolVersion = VERSIONS.find((version) => version === requested) ?? VERSIONS[0];
  return {
    capabilities: { tools: { listChanged: true } },
    serverInfo: {
      name: 'agent-debugger',
      title: 'Agent Debugger',
      version: left.version ?? '0',
    },
    ...(left.version === undefined && { instructions: `${NEVER_RUN} ${HINT}` }),
    ...left.initialize,
    protocolVersion,
  };
}

function viewsOf(windows: readonly WindowEntry[]): readonly Fields[] {
  return windows.map(({ id, name, folders, editor }) => ({ window_id: id, name, folders, editor }));
}
