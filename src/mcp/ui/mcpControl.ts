import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ToolServices } from '../../tools/services';
import type { McpOptions } from '../server/mcpOptions';
import { homeFolder } from '../windows/home';
import type { McpWindow } from '../windows/mcpWindow';
import { KeyWarnings } from './keyWarnings';
import { localFolders } from './localFolders';
import { showMenu } from './mcpMenu';
import { SECTION, settings } from './mcpSettings';
import { isOffered, offerDefinitions, offeredDefinition } from './offeredServer';
import { OtherWindows } from './otherWindows';
import { PERSON, type Person } from './person';
import { askForPort, confirmRenewal, offerSetUps } from './serverDialogs';
import { failureReason, statusBarTexts, type StatusBarState } from './statusBarTexts';
import { StatusItem } from './statusItem';

const KEY_SECRET = 'agentDebugger.mcpKey';

/** The person's controls of the MCP server: commands, the status bar item and its menu, settings and the key. */
export class McpControl {
  /** Asks the person. Tests replace it. */
  person: Person = PERSON;
  private readonly statusItem = new StatusItem();
  private readonly subscriptions: { dispose(): unknown }[] = [];
  private readonly changed = new vscode.EventEmitter<void>();
  private state: StatusBarState = { kind: 'off' };
  private readonly others: OtherWindows;
  /** This window's part in the server. It is loaded on first use, together with the MCP SDK. */
  private window: Promise<McpWindow> | undefined;
  private loaded: McpWindow | undefined;
  private isDisposed = false;
  /** The key that the last client was set up with. */
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
    /** The path of the stdio bridge in the extension's folder. */
    private readonly bridge?: string,
  ) {
    this.others = new OtherWindows(memory, (serving) => {
      if (this.state.kind === 'off' || this.state.kind === 'outside')
        this.show(serving === undefined ? { kind: 'off' } : { kind: 'outside', ...serving });
    });
    this.subscriptions.push(
      this.statusItem,
      this.changed,
      ...this.listen(),
      ...this.registerCommands(),
      ...offerDefinitions(this.changed.event, () => this.definitions()),
    );
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
        () => void this.window?.then((window) => window.updateDescription()),
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

  /** Fires when the server's state or its address for clients has changed. */
  get onDidChange(): vscode.Event<void> {
    return this.changed.event;
  }

  get isRunning(): boolean {
    return this.state.kind === 'on' || this.state.kind === 'elsewhere';
  }

  get isPortTaken(): boolean {
    return this.state.kind === 'failed' && this.state.isPortTaken;
  }

  /** The keys that this window has read. Diagnostics remove them from all texts. */
  get loadedKeys(): readonly string[] {
    return [...(this.loaded?.loadedKeys ?? []), ...(this.givenKey === '' ? [] : [this.givenKey])];
  }

  /** The address and key for clients. Only the person's commands and tests read it. */
  async address(): Promise<{ readonly url: string; readonly key: string }> {
    const url =
      this.loaded?.url ??
      `http://127.0.0.1:${'port' in this.state ? this.state.port : settings.port}/mcp`;
    this.givenKey = await (await this.load()).readKey();
    return { url, key: this.givenKey };
  }

  /**
   * Called before a client receives the address and the key. The client will send the key to any program that has that
   * port.
   */
  async keyGiven(url: string): Promise<void> {
    await (await this.load()).keyGiven(Number(new URL(url).port));
  }

  /**
   * Installs the stdio bridge before a client is set up to start it. Otherwise it is installed at the first start of
   * the server.
   */
  async prepareBridge(): Promise<void> {
    await (await this.load()).prepareBridge();
  }

  /**
   * Starts the server. Resolves when clients reach this window or the start has failed. The status bar shows the
   * result. A manual start takes the port from the window that has it. A start with VS Code does not.
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

  /** Invalidates the old key immediately, and ends the connections of all clients that use it. */
  async renewKey(): Promise<void> {
    await (await this.load()).renewKey();
    this.changed.fire();
    offerSetUps(l10n.t('The key was renewed. Clients with the old key no longer have access.'));
  }

  /** Renews the key if the person confirms it. The person may have chosen the wrong row. */
  private async askToRenewKey(): Promise<void> {
    if (await confirmRenewal()) await this.renewKey();
  }

  /** Invalidates the key of the server that is offered to the editor. The editor receives the new one automatically. */
  async renewOfferedKey(): Promise<void> {
    await (await this.load()).renewOfferedKey();
    this.changed.fire();
    void this.person.inform(
      l10n.t(
        'The editor’s key for the offered server was renewed, and its connections were closed. Clients that were set up keep their key.',
      ),
    );
  }

  /** Called when the offer to the editor has changed. The offered key becomes invalid when the offer ends. */
  private async offerChanged(): Promise<void> {
    this.changed.fire();
    if (!isOffered()) await (await this.load()).renewOfferedKey();
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
        folders: localFolders(),
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
    this.state = state;
    this.statusItem.show(state);
    this.changed.fire();
  }

  private async menu(): Promise<void> {
    await showMenu(this.state, {
      start: (how) => this.start(how),
      stop: () => this.stop(),
      restart: () => this.restart(),
      changePort: () => askForPort(),
      renewKey: () => this.askToRenewKey(),
      renewOfferedKey: isOffered() ? () => this.renewOfferedKey() : undefined,
    });
  }

  /** The server as it is offered to the editor, with the offered key. Empty if it is not offered. */
  async definitions(editor: unknown = vscode): Promise<vscode.McpHttpServerDefinition[]> {
    if (!this.isRunning || !isOffered(editor)) return [];
    const { url } = await this.address();
    const key = await (await this.load()).readOfferedKey();
    return [offeredDefinition(url, key, this.options.version)];
  }
}

/** Runs work whose failure has no effect for the person. */
function quietly(work: Promise<void>): void {
  work.catch(() => undefined);
}
