import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ToolServices } from '../../tools/services';
import type { McpOptions } from '../server/mcpOptions';
import { derivedPort } from '../windows/derivedPort';
import { homeFolder } from '../windows/home';
import type { McpWindow } from '../windows/mcpWindow';
import { cursorMcpOf } from '../clients/cursorRegistration';
import { showsTools } from './editorTools';
import { KeyWarnings } from './keyWarnings';
import { isPort, SECTION, setting, settings } from './mcpSettings';
import { OtherWindows } from './otherWindows';
import { PERSON, type Person } from './person';
import { remoteMachine, whereItListens } from './remoteMachine';
import { briefly, isKeySeen, reasonOf, shownAs, type Shown } from './statusBarTexts';

const KEY_SECRET = 'agentDebugger.mcpKey';

/** The person's hand on the MCP server: commands, the status bar item and its menu, settings and the key. */
export class McpControl {
  /** Tests put themselves in the person's place. */
  person: Person = PERSON;
  private readonly item = vscode.window.createStatusBarItem(
    'agentDebugger.mcp',
    vscode.StatusBarAlignment.Right,
    90,
  );
  private readonly subscriptions: { dispose(): unknown }[] = [];
  private readonly changed = new vscode.EventEmitter<void>();
  private state: Shown = { kind: 'off' };
  private readonly others: OtherWindows;
  /** Loaded with the MCP SDK when it is first needed. */
  private window: Promise<McpWindow> | undefined;
  private loaded: McpWindow | undefined;
  /** As the menus of commands know it. */
  private isOn = false;
  private isDisposed = false;
  private readonly keyWarnings = new KeyWarnings(() => this.person, {
    renew: () => this.renewKey(),
    keep: async () => await (await this.load()).keepKey(),
    changePort: () => this.changePort(),
  });

  constructor(
    private readonly services: ToolServices,
    private readonly secrets: vscode.SecretStorage,
    private readonly options: McpOptions,
    memory: vscode.Memento,
    /** The stdio bridge's file in the extension. */
    private readonly bridge?: string,
  ) {
    this.item.name = l10n.t('Agent Debugger: MCP Server');
    this.item.command = `${SECTION}.menu`;
    this.others = new OtherWindows(memory, (serving) => {
      if (this.state.kind === 'off' || this.state.kind === 'outside')
        this.show(serving === undefined ? { kind: 'off' } : { kind: 'outside', ...serving });
    });
    const command = (name: string, run: () => unknown): vscode.Disposable =>
      vscode.commands.registerCommand(`${SECTION}.${name}`, run);
    this.subscriptions.push(
      this.item,
      this.changed,
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration(`${SECTION}.port`))
          void this.window?.then((window) => window.changePort());
        if (change.affectsConfiguration(`${SECTION}.offerToVsCode`)) this.changed.fire();
      }),
      vscode.window.onDidChangeWindowState(({ focused }) =>
        focused ? quietly(this.others.focused()) : undefined,
      ),
      vscode.workspace.onDidChangeWorkspaceFolders(
        () => void this.window?.then((window) => window.describeAnew()),
      ),
      command('start', () => this.start({ fromOthers: true })),
      command('stop', () => this.stop()),
      command('restart', () => this.restart()),
      command('menu', () => this.menu()),
      command('changePort', () => this.changePort()),
      command('renewKey', () => this.askToRenewKey()),
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
    if (settings.autoStart) void this.start({ fromOthers: false });
    else quietly(this.others.look());
  }

  dispose(): void {
    this.isDisposed = true;
    quietly(this.others.leave({ isUsed: false }));
    this.loaded?.dispose();
    for (const each of this.subscriptions) each.dispose();
  }

  /** Clients reach it, or soon will not. */
  get onDidChange(): vscode.Event<void> {
    return this.changed.event;
  }

  get isRunning(): boolean {
    return this.state.kind === 'on' || this.state.kind === 'elsewhere';
  }

  get isPortTaken(): boolean {
    return this.state.kind === 'failed' && this.state.isPortTaken;
  }

  /** What a client is set up with. Only the person's commands and tests ask. */
  async address(): Promise<{ readonly url: string; readonly key: string }> {
    const url =
      this.loaded?.url ??
      `http://127.0.0.1:${'port' in this.state ? this.state.port : settings.port}/mcp`;
    return { url, key: await (await this.load()).readKey() };
  }

  /** A client is about to be given the address and the key: from then on it sends the key there, whoever listens. */
  async keyGiven(url: string): Promise<void> {
    await (await this.load()).keyGiven(Number(new URL(url).port));
  }

  /** A client is about to be told to start the stdio bridge, which the server's first start would put there. */
  async prepareBridge(): Promise<void> {
    await (await this.load()).prepareBridge();
  }

  /**
   * Resolves when clients reach this window or it has failed; what it is shows in the status bar. Started by hand it
   * takes the port from the window that has it; started with VS Code it leaves it there.
   */
  async start(how: { readonly fromOthers: boolean }): Promise<void> {
    await (await this.load()).start(how);
    const { state } = this;
    if (how.fromOthers && state.kind === 'elsewhere' && state.isSilent === true)
      void vscode.window.showWarningMessage(shownAs(state).words);
  }

  async stop(): Promise<void> {
    await (await this.window)?.stop();
  }

  async restart(): Promise<void> {
    await (await this.load()).restart();
  }

  /** The old key ends at once, and with it every client that has it. */
  async renewKey(): Promise<void> {
    await (await this.load()).renewKey();
    this.changed.fire();
    this.tellOfSetUps(
      l10n.t('The key was renewed. Clients that have the old one are no longer let in.'),
    );
  }

  /** For the person, who may have meant another row: it cannot be taken back. */
  private async askToRenewKey(): Promise<void> {
    const renew = l10n.t('Renew the key');
    const detail = l10n.t(
      'Every client that has the old one is locked out at once, until it is set up again.',
    );
    if (
      (await vscode.window.showWarningMessage(
        l10n.t('Renew the key of the MCP server?'),
        { modal: true, detail },
        renew,
      )) === renew
    )
      await this.renewKey();
  }

  private tellOfSetUps(message: string): void {
    const setUp = l10n.t('Set up clients again');
    void vscode.window
      .showInformationMessage(message, setUp)
      .then((chosen) =>
        chosen === setUp
          ? vscode.commands.executeCommand(`${SECTION}.installConfiguration`)
          : undefined,
      );
  }

  private async load(): Promise<McpWindow> {
    this.window ??= this.make();
    return await this.window;
  }

  private async make(): Promise<McpWindow> {
    const { McpWindow } = await import(/* webpackChunkName: "mcp" */ '../windows/mcpWindow.js');
    const window = new McpWindow(this.services, {
      mcp: this.options,
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
        ? this.others.look()
        : this.others.leave({ isUsed: state.kind === 'on' || state.kind === 'elsewhere' }),
    );
    if (state.kind === 'failed' && isNew) void this.keyWarnings.failed(state, reasonOf(state));
    if (state.kind === 'on' && state.keySeen !== undefined)
      void this.keyWarnings.started(state.keySeen);
  }

  private show(state: Shown): void {
    if (this.isDisposed) return;
    const isOn = state.kind === 'starting' || state.kind === 'on' || state.kind === 'elsewhere';
    if (isOn !== this.isOn)
      void vscode.commands.executeCommand('setContext', `${SECTION}.isOn`, isOn);
    this.isOn = isOn;
    this.state = state;
    const { text, words, background } = shownAs(state);
    const where =
      state.kind === 'on' || state.kind === 'elsewhere' || state.kind === 'outside'
        ? whereItListens(vscode.env.remoteName)
        : undefined;
    const said = where === undefined ? words : `${words} ${where}`;
    this.item.text = text;
    this.item.tooltip = said;
    this.item.accessibilityInformation = { label: said, role: 'button' };
    this.item.backgroundColor = background;
    this.item.show();
    this.changed.fire();
  }

  private async menu(): Promise<void> {
    const { kind } = this.state;
    const isOn = kind === 'on' || kind === 'elsewhere';
    const entries: Entry[] = [
      ...(kind === 'outside'
        ? [
            {
              label: `$(link) ${l10n.t('Take part')}`,
              description: l10n.t('clients reach this window, too'),
              run: () => this.start({ fromOthers: false }),
            },
          ]
        : []),
      ...(kind === 'elsewhere' || kind === 'outside'
        ? [
            {
              label: `$(arrow-swap) ${l10n.t('Take over here')}`,
              description: l10n.t('the other window gives its port up'),
              run: () => this.start({ fromOthers: true }),
            },
          ]
        : []),
      ...(isOn
        ? [
            {
              label: `$(debug-stop) ${l10n.t('Stop the MCP server')}`,
              description:
                kind === 'on' ? l10n.t('in all windows') : l10n.t('in this window alone'),
              run: () => this.stop(),
            },
            {
              label: `$(debug-restart) ${l10n.t('Restart the MCP server')}`,
              run: () => this.restart(),
            },
          ]
        : []),
      ...(!isOn && kind !== 'outside'
        ? [
            {
              label: `$(play) ${l10n.t('Start the MCP server')}`,
              run: () => this.start({ fromOthers: true }),
            },
          ]
        : []),
      {
        label: `$(plug) ${l10n.t('Change port')}`,
        description: String(settings.port),
        run: () => this.changePort(),
      },
      startWithVsCode(),
      { label: l10n.t('Clients'), kind: vscode.QuickPickItemKind.Separator },
      {
        label: `$(gear) ${l10n.t('Set up a client')}`,
        run: () => vscode.commands.executeCommand(`${SECTION}.installConfiguration`),
      },
      {
        label: `$(copy) ${l10n.t('Copy the configuration for a client')}`,
        run: () => vscode.commands.executeCommand(`${SECTION}.copyConfiguration`),
      },
      {
        label: `$(trash) ${l10n.t('Remove the configuration from a client')}`,
        run: () => vscode.commands.executeCommand(`${SECTION}.removeConfiguration`),
      },
      {
        label: `$(key) ${l10n.t('Renew the key')}`,
        description: isKeySeen(this.state)
          ? l10n.t('another program may know it')
          : l10n.t('clients have to be set up anew'),
        run: () => this.askToRenewKey(),
      },
    ];
    const { remoteName } = vscode.env;
    const title =
      remoteName === undefined
        ? l10n.t('Agent Debugger: MCP Server')
        : l10n.t('Agent Debugger: MCP Server (on {0})', remoteMachine(remoteName));
    const chosen = await vscode.window.showQuickPick(entries, {
      title,
      placeHolder: briefly(this.state),
    });
    await chosen?.run?.();
  }

  private async changePort(): Promise<void> {
    const validateInput = (text: string): string | undefined =>
      text === '' || isPort(text) ? undefined : l10n.t('A whole number from 1024 to 65535');
    const before = settings.port;
    const prompt = l10n.t('Empty: your own port on this machine, {0}.', derivedPort());
    const text = await vscode.window.showInputBox({
      title: l10n.t('Port of the MCP server'),
      prompt,
      value: String(before),
      validateInput,
    });
    if (text === undefined || (text !== '' && !isPort(text))) return;
    if (Number(text) === before) return;
    await setting().update(
      'port',
      text === '' ? undefined : Number(text),
      vscode.ConfigurationTarget.Global,
    );
    if (settings.port === before) return;
    this.tellOfSetUps(
      l10n.t(
        'The port is {0} now. Clients that have the old one no longer reach the server, but send the key to whoever listens there.',
        settings.port,
      ),
    );
  }

  /**
   * VS Code's own agents have the tools already, so the server is offered to them only when the person wants that; an
   * editor whose agents are shown no such tools is offered it. Cursor is offered it in its own way (`ClientSetUps.useEditor`).
   */
  async definitions(editor: unknown = vscode): Promise<vscode.McpHttpServerDefinition[]> {
    const isWanted =
      setting().get<boolean>('offerToVsCode', false) ||
      (!showsTools(editor) && cursorMcpOf(editor) === undefined);
    if ((this.state.kind !== 'on' && this.state.kind !== 'elsewhere') || !isWanted) return [];
    const { url, key } = await this.address();
    await this.keyGiven(url);
    const [folder] = foldersOfWindow();
    const uri = vscode.Uri.parse(
      folder === undefined ? url : `${url}?workspace=${encodeURIComponent(folder)}`,
    );
    return [
      new vscode.McpHttpServerDefinition(
        'Agent Debugger',
        uri,
        { Authorization: `Bearer ${key}` },
        this.options.version,
      ),
    ];
  }
}

/** As the other windows are to know it: the folders of files, on this machine. */
function foldersOfWindow(): readonly string[] {
  return (vscode.workspace.workspaceFolders ?? [])
    .filter((each) => each.uri.scheme === 'file')
    .map((each) => each.uri.fsPath);
}

/** What cannot be looked at is not shown. */
const quietly = (looking: Promise<void>): void => void looking.catch(() => undefined);

type Entry = vscode.QuickPickItem & { readonly run?: () => unknown };

/** What choosing it does, and how it is now. */
function startWithVsCode(): Entry {
  const isOn = settings.autoStart;
  return {
    label: `$(rocket) ${isOn ? l10n.t('Start with VS Code: turn off') : l10n.t('Start with VS Code: turn on')}`,
    description: isOn ? l10n.t('now on') : l10n.t('now off'),
    run: () => setting().update('autoStart', !isOn, vscode.ConfigurationTarget.Global),
  };
}
