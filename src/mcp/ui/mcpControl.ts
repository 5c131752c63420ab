import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ToolServices } from '../../tools/services';
import type { McpOptions } from '../server/mcpOptions';
import { homeFolder } from '../windows/home';
import type { McpWindow } from '../windows/mcpWindow';
import { cursorMcpOf } from '../clients/cursorRegistration';
import { showsTools } from './editorTools';
import { KeyWarnings } from './keyWarnings';
import { showMenu } from './mcpMenu';
import { SECTION, setting, settings } from './mcpSettings';
import { offeredUri } from './offeredUri';
import { OtherWindows } from './otherWindows';
import { PERSON, type Person } from './person';
import { whereItListens } from './remoteMachine';
import { askForPort, confirmRenewal, offerSetUps } from './serverDialogs';
import { failureReason, statusBarTexts, type StatusBarState } from './statusBarTexts';

const KEY_SECRET = 'agentDebugger.mcpKey';

/** How the person controls the MCP server: commands, the status bar item and its menu, settings and the key. */
export class McpControl {
  /** Tests answer in the person's place. */
  person: Person = PERSON;
  private readonly item = vscode.window.createStatusBarItem(
    'agentDebugger.mcp',
    vscode.StatusBarAlignment.Right,
    90,
  );
  private readonly subscriptions: { dispose(): unknown }[] = [];
  private readonly changed = new vscode.EventEmitter<void>();
  private state: StatusBarState = { kind: 'off' };
  private readonly others: OtherWindows;
  /** Loaded with the MCP SDK when it is needed for the first time. */
  private window: Promise<McpWindow> | undefined;
  private loaded: McpWindow | undefined;
  /** The value of the context key, for the menus of commands. */
  private isOnContext = false;
  private isDisposed = false;
  /** The key that a client was set up with last. */
  private givenKey = '';
  private readonly keyWarnings = new KeyWarnings(() => this.person, {
    renew: () => this.renewKey(),
    keep: async () => await (await this.load()).keepKey(),
    changePort: () => askForPort(),
  });

  constructor(
    private readonly services: ToolServices,
    private readonly secrets: vscode.SecretStorage,
    private readonly options: McpOptions,
    memory: vscode.Memento,
    /** The stdio bridge's file in the extension's folder. */
    private readonly bridge?: string,
  ) {
    this.item.name = l10n.t('Agent Debugger: MCP Server');
    this.item.command = `${SECTION}.menu`;
    this.others = new OtherWindows(memory, (serving) => {
      if (this.state.kind === 'off' || this.state.kind === 'outside')
        this.show(serving === undefined ? { kind: 'off' } : { kind: 'outside', ...serving });
    });
    this.subscriptions.push(this.item, this.changed, ...this.listen(), ...this.registerCommands());
    // Editors that are built on an older VS Code lack it; their clients are set up by a configuration.
    if ('registerMcpServerDefinitionProvider' in vscode.lm) {
      this.subscriptions.push(
        vscode.lm.registerMcpServerDefinitionProvider('agentDebugger', {
          onDidChangeMcpServerDefinitions: this.changed.event,
          provideMcpServerDefinitions: () => this.definitions(),
        }),
      );
    }
    this.show({ kind: 'off' });
    if (settings.autoStart) void this.start({ fromOthers: false });
    else quietly(this.others.observe());
  }

  dispose(): void {
    this.isDisposed = true;
    quietly(this.others.leave({ isUsed: false }));
    this.loaded?.dispose();
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private listen(): vscode.Disposable[] {
    return [
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration(`${SECTION}.port`))
          void this.window?.then((window) => window.changePort());
        if (change.affectsConfiguration(`${SECTION}.relay`))
          void this.window?.then((window) => window.relayChanged());
        if (change.affectsConfiguration(`${SECTION}.offerToVsCode`)) quietly(this.offerChanged());
      }),
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) quietly(this.others.focused());
      }),
      vscode.workspace.onDidChangeWorkspaceFolders(
        () => void this.window?.then((window) => window.describeAnew()),
      ),
    ];
  }

  private registerCommands(): vscode.Disposable[] {
    const command = (name: string, run: () => unknown): vscode.Disposable =>
      vscode.commands.registerCommand(`${SECTION}.${name}`, run);
    return [
      command('start', () => this.start({ fromOthers: true })),
      command('stop', () => this.stop()),
      command('restart', () => this.restart()),
      command('menu', () => this.menu()),
      command('changePort', () => askForPort()),
      command('renewKey', () => this.askToRenewKey()),
      command('renewOfferedKey', () => this.renewOfferedKey()),
    ];
  }

  /** The server's state, or how clients reach it, has changed. */
  get onDidChange(): vscode.Event<void> {
    return this.changed.event;
  }

  get isRunning(): boolean {
    return this.state.kind === 'on' || this.state.kind === 'elsewhere';
  }

  get isPortTaken(): boolean {
    return this.state.kind === 'failed' && this.state.isPortTaken;
  }

  /** The key as far as this window has read it, so that nothing shows it. */
  get knownKeys(): readonly string[] {
    return [...(this.loaded?.knownKeys ?? []), ...(this.givenKey === '' ? [] : [this.givenKey])];
  }

  /** What a client is set up with. Only the person's commands and tests read it. */
  async address(): Promise<{ readonly url: string; readonly key: string }> {
    const url =
      this.loaded?.url ??
      `http://127.0.0.1:${'port' in this.state ? this.state.port : settings.port}/mcp`;
    this.givenKey = await (await this.load()).readKey();
    return { url, key: this.givenKey };
  }

  /** A client is about to be given the address and the key. From then on it sends the key there, whoever listens. */
  async keyGiven(url: string): Promise<void> {
    await (await this.load()).keyGiven(Number(new URL(url).port));
  }

  /** Installs the stdio bridge before a client is told to start it; otherwise the server's first start does. */
  async prepareBridge(): Promise<void> {
    await (await this.load()).prepareBridge();
  }

  /**
   * Resolves when clients reach this window or the start has failed; the status bar shows which. A start by hand takes
   * the port from the window that has it; a start with VS Code leaves it there.
   */
  async start(how: { readonly fromOthers: boolean }): Promise<void> {
    await (await this.load()).start(how);
    const { state } = this;
    if (how.fromOthers && state.kind === 'elsewhere' && state.isSilent === true)
      void vscode.window.showWarningMessage(statusBarTexts(state).message);
  }

  async stop(): Promise<void> {
    await (await this.window)?.stop();
  }

  async restart(): Promise<void> {
    await (await this.load()).restart();
  }

  /** Ends the old key at once, and with it the connections of every client that has it. */
  async renewKey(): Promise<void> {
    await (await this.load()).renewKey();
    this.changed.fire();
    offerSetUps(l10n.t('The key was renewed. Clients that have the old one are no longer let in.'));
  }

  /** The person may have chosen the wrong row: they are asked first. */
  private async askToRenewKey(): Promise<void> {
    if (await confirmRenewal()) await this.renewKey();
  }

  /** Ends the key of the server that is offered to the editor, which gets the new one by itself. */
  async renewOfferedKey(): Promise<void> {
    await (await this.load()).renewOfferedKey();
    this.changed.fire();
    void this.person.tell(
      l10n.t(
        'The key that the editor was given with the offered server was renewed, and its connections have ended. Clients that were set up keep theirs.',
      ),
    );
  }

  /** What the editor was given ends with the offer. */
  private async offerChanged(): Promise<void> {
    this.changed.fire();
    if (!this.isOffered()) await (await this.load()).renewOfferedKey();
  }

  private async load(): Promise<McpWindow> {
    this.window ??= this.make();
    return await this.window;
  }

  private async make(): Promise<McpWindow> {
    const { McpWindow } = await import(/* webpackChunkName: "mcp" */ '../windows/mcpWindow.js');
    const window = new McpWindow(this.services, {
      mcp: { relay: () => settings.relay, ...this.options },
      home: homeFolder(),
      port: () => settings.port,
      key: {
        get: () => this.secrets.get(KEY_SECRET),
        store: (key) => this.secrets.store(KEY_SECRET, key),
      },
      describe: () => ({
        folders: foldersOfWindow(),
        name: vscode.workspace.name ?? '',
        editor: vscode.env.appName,
      }),
      bridge: this.bridge,
      onDidChange: (state) => this.stateChanged(state),
    });
    this.loaded = window;
    if (this.isDisposed) window.dispose();
    return window;
  }

  private stateChanged(state: McpWindow['state']): void {
    const isNew = state.kind !== this.state.kind;
    this.show(state);
    quietly(
      state.kind === 'off'
        ? this.others.observe()
        : this.others.leave({ isUsed: state.kind === 'on' || state.kind === 'elsewhere' }),
    );
    if (state.kind === 'failed' && isNew) void this.keyWarnings.failed(state, failureReason(state));
    if (state.kind === 'on' && state.keySeen !== undefined)
      void this.keyWarnings.started(state.keySeen);
  }

  private show(state: StatusBarState): void {
    if (this.isDisposed) return;
    const isOn = state.kind === 'starting' || state.kind === 'on' || state.kind === 'elsewhere';
    if (isOn !== this.isOnContext)
      void vscode.commands.executeCommand('setContext', `${SECTION}.isOn`, isOn);
    this.isOnContext = isOn;
    this.state = state;
    const { text, message, background } = statusBarTexts(state);
    const isServed = isOn || state.kind === 'outside';
    const where =
      isServed && state.kind !== 'starting' ? whereItListens(vscode.env.remoteName) : undefined;
    const label = where === undefined ? message : `${message} ${where}`;
    this.item.text = text;
    this.item.tooltip = label;
    this.item.accessibilityInformation = { label, role: 'button' };
    this.item.backgroundColor = background;
    this.item.show();
    this.changed.fire();
  }

  private async menu(): Promise<void> {
    await showMenu(this.state, {
      start: (how) => this.start(how),
      stop: () => this.stop(),
      restart: () => this.restart(),
      changePort: () => askForPort(),
      renewKey: () => this.askToRenewKey(),
      renewOfferedKey: this.isOffered() ? () => this.renewOfferedKey() : undefined,
    });
  }

  private isOffered(editor: unknown = vscode): boolean {
    return (
      setting().get<boolean>('offerToVsCode', false) ||
      (!showsTools(editor) && cursorMcpOf(editor) === undefined)
    );
  }

  /**
   * VS Code's own agents have the tools already, so the server is offered to them only when the person wants that. It is
   * always offered in an editor that does not show such tools to its agents. Cursor has a list of its own
   * (`ClientSetUps.useEditor`). VS Code writes what it is offered to a file that others may read, so the offer has a key
   * of its own.
   */
  async definitions(editor: unknown = vscode): Promise<vscode.McpHttpServerDefinition[]> {
    if (!this.isRunning || !this.isOffered(editor)) return [];
    const { url } = await this.address();
    const key = await (await this.load()).readOfferedKey();
    const [folder] = foldersOfWindow();
    return [
      new vscode.McpHttpServerDefinition(
        'Agent Debugger',
        offeredUri(url, folder),
        { Authorization: `Bearer ${key}` },
        this.options.version,
      ),
    ];
  }
}

/** The window's folders on this machine, by which the other windows know it. */
function foldersOfWindow(): readonly string[] {
  return (vscode.workspace.workspaceFolders ?? [])
    .filter((folder) => folder.uri.scheme === 'file')
    .map((folder) => folder.uri.fsPath);
}

/** Runs work whose failure changes nothing that the person sees. */
function quietly(work: Promise<void>): void {
  work.catch(() => undefined);
}
