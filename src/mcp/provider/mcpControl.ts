import { randomBytes } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ToolServices } from '../../tools/services';
import type { McpOptions } from '../clientSession';
import type { McpHttpServer } from '../httpServer';

const KEY_SECRET = 'agentDebugger.mcpKey';
const SECTION = 'agentDebugger.mcp';

type State =
  | { readonly kind: 'off' }
  | { readonly kind: 'starting' }
  | { readonly kind: 'on'; readonly port: number; readonly clients: number }
  | { readonly kind: 'failed'; readonly reason: string };

/** The person's hand on the MCP server: commands, the status bar item and its menu, settings and the key. */
export class McpControl {
  private readonly item = vscode.window.createStatusBarItem('agentDebugger.mcp', vscode.StatusBarAlignment.Right, 90);
  private readonly subscriptions: { dispose(): unknown }[] = [];
  private readonly changed = new vscode.EventEmitter<void>();
  private state: State = { kind: 'off' };
  private server: McpHttpServer | undefined;
  private key = '';
  private isDisposed = false;
  /** The key while it is being made: whoever asks meanwhile gets the same. */
  private making: Promise<string> | undefined;
  /** Start and stop one after the other, however fast they are asked for. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly services: ToolServices,
    private readonly secrets: vscode.SecretStorage,
    private readonly options: McpOptions,
  ) {
    this.item.name = l10n.t('Agent Debugger: MCP Server');
    this.item.command = `${SECTION}.menu`;
    const command = (name: string, run: () => unknown): vscode.Disposable => vscode.commands.registerCommand(`${SECTION}.${name}`, run);
    this.subscriptions.push(
      this.item,
      this.changed,
      this.secrets.onDidChange(({ key }) => {
        if (key === KEY_SECRET && this.server !== undefined) void this.readKey().then((now) => this.useKey(now));
      }),
      command('start', () => this.start()),
      command('stop', () => this.stop()),
      command('restart', () => this.restart()),
      command('menu', () => this.menu()),
      command('changePort', () => this.changePort()),
      command('renewKey', () => this.renewKey()),
    );
    // Editors built on an older VS Code lack it; their clients are set up by a configuration.
    if ('registerMcpServerDefinitionProvider' in vscode.lm) {
      this.subscriptions.push(
        vscode.lm.registerMcpServerDefinitionProvider('agentDebugger', {
          onDidChangeMcpServerDefinitions: this.changed.event,
          provideMcpServerDefinitions: () => this.definitions(),
        }),
      );
    }
    this.show({ kind: 'off' });
    if (settings.autoStart) void this.start();
  }

  dispose(): void {
    this.isDisposed = true;
    void this.server?.close();
    for (const each of this.subscriptions) each.dispose();
  }

  /** Clients reach it, or soon will not. */
  get onDidChange(): vscode.Event<void> {
    return this.changed.event;
  }

  get isRunning(): boolean {
    return this.state.kind === 'on';
  }

  /** What a client is set up with. Only the person's commands and tests ask. */
  async address(): Promise<{ readonly url: string; readonly key: string }> {
    const port = this.state.kind === 'on' ? this.state.port : settings.port;
    return { url: this.server?.url ?? `http://127.0.0.1:${port}/mcp`, key: await this.readKey() };
  }

  /** Resolves when it listens or has failed; what it is shows in the status bar. */
  async start(): Promise<void> {
    await this.inTurn(async () => {
      if (this.server !== undefined) return;
      this.show({ kind: 'starting' });
      try {
        await this.listen();
      } catch (error) {
        const reason = isPortTaken(error) ? l10n.t('port {0} is in use by another program', settings.port) : error instanceof Error ? error.message : String(error);
        this.show({ kind: 'failed', reason });
        this.offerAnotherPort(reason);
      }
    });
  }

  private async listen(): Promise<void> {
    const { McpHttpServer } = await import(/* webpackChunkName: "mcp" */ '../httpServer.js');
    this.key = await this.readKey();
    const server = new McpHttpServer(this.services, { ...this.options, key: () => this.key, onDidChangeClients: (clients) => this.clientsChanged(clients) });
    const port = await server.listen(settings.port);
    if (this.isDisposed) {
      await server.close();
      return;
    }
    this.server = server;
    this.show({ kind: 'on', port, clients: 0 });
  }

  async stop(): Promise<void> {
    await this.inTurn(async () => {
      await this.server?.close();
      this.server = undefined;
      this.show({ kind: 'off' });
    });
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** The old key ends at once, and with it every client that has it. */
  async renewKey(): Promise<void> {
    await this.useKey(await this.makeKey());
    const setUp = l10n.t('Set up clients again');
    void vscode.window.showInformationMessage(l10n.t('The key was renewed. Clients that have the old one are no longer let in.'), setUp).then((chosen) => (chosen === setUp ? vscode.commands.executeCommand(`${SECTION}.installConfiguration`) : undefined));
  }

  private async inTurn(action: () => Promise<void>): Promise<void> {
    const turn = this.last.then(action, action);
    this.last = turn.catch(() => undefined);
    await turn;
  }

  private async readKey(): Promise<string> {
    const kept = await this.secrets.get(KEY_SECRET);
    if (kept !== undefined) return kept;
    this.making ??= this.makeKey().finally(() => (this.making = undefined));
    return await this.making;
  }

  /** Another window may have renewed it: the old one ends here as well. */
  private async useKey(key: string): Promise<void> {
    if (key === this.key) return;
    this.key = key;
    await this.server?.closeSessions();
    this.changed.fire();
  }

  private async makeKey(): Promise<string> {
    const key = randomBytes(32).toString('base64url');
    await this.secrets.store(KEY_SECRET, key);
    return key;
  }

  private clientsChanged(clients: number): void {
    if (this.state.kind === 'on') this.show({ ...this.state, clients });
  }

  private show(state: State): void {
    if (this.isDisposed) return;
    this.state = state;
    const { text, words, background } = shownAs(state);
    this.item.text = text;
    this.item.tooltip = words;
    this.item.accessibilityInformation = { label: words, role: 'button' };
    this.item.backgroundColor = background;
    this.item.show();
    this.changed.fire();
  }

  private offerAnotherPort(reason: string): void {
    const change = l10n.t('Change port');
    void vscode.window.showWarningMessage(l10n.t('The MCP server could not be started: {0}.', reason), change).then((chosen) => (chosen === change ? this.changePort() : undefined));
  }

  private async menu(): Promise<void> {
    const isOn = this.state.kind === 'on';
    const auto = settings.autoStart;
    const entries: (vscode.QuickPickItem & { readonly run?: () => unknown })[] = [
      ...(isOn
        ? [{ label: `$(debug-stop) ${l10n.t('Stop the MCP server')}`, run: () => this.stop() }, { label: `$(debug-restart) ${l10n.t('Restart the MCP server')}`, run: () => this.restart() }]
        : [{ label: `$(play) ${l10n.t('Start the MCP server')}`, run: () => this.start() }]),
      { label: `$(plug) ${l10n.t('Change port')}`, description: String(settings.port), run: () => this.changePort() },
      { label: auto ? `$(check) ${l10n.t('Start automatically: yes')}` : `$(circle-slash) ${l10n.t('Start automatically: no')}`, run: () => configuration().update('autoStart', !auto, vscode.ConfigurationTarget.Global) },
      { label: l10n.t('Clients'), kind: vscode.QuickPickItemKind.Separator },
      { label: `$(gear) ${l10n.t('Set up a client')}`, run: () => vscode.commands.executeCommand(`${SECTION}.installConfiguration`) },
      { label: `$(copy) ${l10n.t('Copy the configuration for a client')}`, run: () => vscode.commands.executeCommand(`${SECTION}.copyConfiguration`) },
      { label: `$(trash) ${l10n.t('Remove the configuration from a client')}`, run: () => vscode.commands.executeCommand(`${SECTION}.removeConfiguration`) },
      { label: `$(key) ${l10n.t('Renew the key')}`, description: l10n.t('clients have to be set up anew'), run: () => this.renewKey() },
    ];
    const chosen = await vscode.window.showQuickPick(entries, { title: l10n.t('Agent Debugger: MCP Server'), placeHolder: shownAs(this.state).words });
    await chosen?.run?.();
  }

  private async changePort(): Promise<void> {
    const validateInput = (text: string): string | undefined => (isPort(text) ? undefined : l10n.t('A whole number from 1024 to 65535'));
    const text = await vscode.window.showInputBox({ title: l10n.t('Port of the MCP server'), value: String(settings.port), validateInput });
    if (text === undefined || !isPort(text)) return;
    await configuration().update('port', Number(text), vscode.ConfigurationTarget.Global);
    if (this.state.kind === 'on' || this.state.kind === 'failed') await this.restart();
  }

  /** VS Code's own agents have the tools already, so the server is offered to them only when the person wants that. */
  private definitions(): vscode.McpHttpServerDefinition[] {
    if (this.server === undefined || !configuration().get<boolean>('offerToVsCode', false)) return [];
    const uri = vscode.Uri.parse(this.server.url);
    return [new vscode.McpHttpServerDefinition('Agent Debugger', uri, { Authorization: `Bearer ${this.key}` }, this.options.version)];
  }
}

const configuration = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration(SECTION);

const settings = {
  get port(): number {
    const value = configuration().get<number>('port', 46321);
    return isPort(String(value)) ? value : 46321;
  },
  get autoStart(): boolean {
    return configuration().get<boolean>('autoStart', false);
  },
};

function isPort(text: string): boolean {
  return /^\d{4,5}$/.test(text) && Number(text) >= 1024 && Number(text) <= 65_535;
}

function isPortTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}

function shownAs(state: State): { text: string; words: string; background: vscode.ThemeColor | undefined } {
  switch (state.kind) {
    case 'off':
      return { text: '$(debug-disconnect) MCP', words: l10n.t('Agent Debugger’s MCP server is off. Click to start it or to set up a client.'), background: undefined };
    case 'starting':
      return { text: '$(sync~spin) MCP', words: l10n.t('Agent Debugger’s MCP server is starting.'), background: undefined };
    case 'on':
      return { text: `$(debug-alt) MCP :${state.port}${state.clients > 0 ? ` (${state.clients})` : ''}`, words: l10n.t('Agent Debugger’s MCP server is on. Port: {0}. Clients: {1}.', state.port, state.clients), background: undefined };
    case 'failed':
      return { text: '$(error) MCP', words: l10n.t('Agent Debugger’s MCP server could not be started: {0}.', state.reason), background: new vscode.ThemeColor('statusBarItem.errorBackground') };
  }
}
