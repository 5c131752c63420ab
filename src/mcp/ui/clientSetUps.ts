import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { fields } from '../../debugger/protocol';
import { SerialQueue } from '../../util/serialQueue';
import type { ClientMachine } from '../clients/client';
import { cursorMcpOf, CursorRegistration } from '../clients/cursorRegistration';
import { Installed } from '../clients/installed';
import { readRegularFile } from '../shared/regularFile';
import { showsTools } from './editorTools';
import type * as Flows from './installConfiguration';
import type { SetUpServices } from './setUpServices';
import { PERSON, type Person } from './person';
import { SettingsPreview } from './settingsPreview';

const SECTION = 'agentDebugger.mcp';
const UNDO_SECRET = 'agentDebugger.mcpSetUps';
/** The version that last wrote the skill. */
const SKILL_VERSION = 'agentDebugger.skillVersion';
const ASKED = 'agentDebugger.mcp.askedToOffer';
/** The causes of doubled tools that were reported to the person. */
const REPORTED = 'agentDebugger.mcp.toldOfDoubled';

/** The part of the server that is needed to set up clients. */
export interface Server {
  readonly isRunning: boolean;
  readonly isPortTaken: boolean;
  readonly onDidChange: vscode.Event<void>;
  address(): Promise<{ readonly url: string; readonly key: string }>;
  /** Called before a client receives the address and the key. */
  keyGiven(url: string): Promise<void>;
  /** Called before a client is set up to start the stdio bridge. */
  prepareBridge(): Promise<void>;
}

/** Sets up clients outside VS Code's own chat: their settings files, and Cursor's list of servers. */
export class ClientSetUps {
  /** The machine and the person. Tests replace them. */
  machine: ClientMachine;
  person: Person = PERSON;
  /** Resolves when the work that follows answered notifications is done. */
  afterwards: Promise<unknown> = Promise.resolve();
  private readonly preview: SettingsPreview;
  private readonly installed: Installed;
  private readonly subscriptions: vscode.Disposable[] = [];
  private cursor: CursorRegistration | undefined;
  private wasRunning = false;
  private isUsed = false;
  private readonly offers = new SerialQueue();
  private readonly checks = new SerialQueue();

  constructor(
    private readonly server: Server,
    private readonly context: Pick<
      vscode.ExtensionContext,
      'asAbsolutePath' | 'extension' | 'globalState' | 'globalStorageUri' | 'secrets'
    >,
    private readonly editor: unknown = vscode,
  ) {
    this.machine = {
      platform: process.platform,
      home: homedir(),
      env: process.env,
      extensionsStorage: path.dirname(context.globalStorageUri.fsPath),
      names,
    };
    this.installed = new Installed({
      read: () => context.secrets.get(UNDO_SECRET),
      write: (text) => context.secrets.store(UNDO_SECRET, text),
    });
    const { preview, registration } = SettingsPreview.register();
    this.preview = preview;
    const command = (name: string, run: () => unknown): vscode.Disposable =>
      vscode.commands.registerCommand(`${SECTION}.${name}`, run);
    this.subscriptions.push(
      registration,
      command('installConfiguration', () => this.install()),
      command('removeConfiguration', () => this.remove()),
      command('copyConfiguration', () => this.copy()),
    );
    this.useEditor(editor);
    this.watchForDoubledTools();
    this.checkSkill().catch(() => undefined);
  }

  dispose(): void {
    this.cursor?.offer(undefined);
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  async install(): Promise<void> {
    const { installConfiguration } = await flows();
    await installConfiguration(this.services);
  }

  async remove(): Promise<void> {
    const { removeConfiguration } = await flows();
    await removeConfiguration(this.services);
  }

  async copy(): Promise<void> {
    const { copyConfiguration } = await flows();
    await copyConfiguration(this.services);
  }

  /** In Cursor the server can be offered without a settings file, if the person allows it. */
  useEditor(editor: unknown): void {
    const cursor = cursorMcpOf(editor);
    if (cursor === undefined) return;
    this.cursor = new CursorRegistration(cursor);
    const update = (): void => void this.offers.run(() => this.offer()).catch(() => undefined);
    this.subscriptions.push(
      this.server.onDidChange(update),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(`${SECTION}.offerToVsCode`)) update();
      }),
    );
  }

  /** Called when the editor's own agents call a tool. The first call starts a check for doubled tools. */
  editorUsesTools(): void {
    if (this.isUsed) return;
    this.isUsed = true;
    this.checkInBackground();
  }

  /** Reports to the person if the editor's own agents have the tools twice. See `doubledTools.ts`. */
  async checkDoubledTools(): Promise<void> {
    if (!showsTools(this.editor)) return;
    const { reportDoubledTools } = await flows();
    const reported = {
      read: () => this.context.globalState.get<readonly string[]>(REPORTED, []),
      write: (causes: readonly string[]) => this.context.globalState.update(REPORTED, causes),
    };
    const offer = {
      isMade: isOfferRequested(),
      end: () =>
        vscode.workspace
          .getConfiguration(SECTION)
          .update('offerToVsCode', undefined, vscode.ConfigurationTarget.Global),
    };
    await this.checks.run(() => reportDoubledTools(this.services, reported, offer));
  }

  /** Repeats the check when the server has started, when it is offered to the editor, and when a plugin is added. */
  private watchForDoubledTools(): void {
    this.subscriptions.push(
      this.server.onDidChange(() => {
        const { isRunning } = this.server;
        if (isRunning && !this.wasRunning) this.checkInBackground();
        this.wasRunning = isRunning;
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        const settings = [`${SECTION}.offerToVsCode`, 'chat.pluginLocations'];
        if (settings.some((name) => event.affectsConfiguration(name))) this.checkInBackground();
      }),
    );
  }

  private checkInBackground(): void {
    this.checkDoubledTools().catch(() => undefined);
  }

  private async offer(): Promise<void> {
    const isRequested = isOfferRequested();
    if (this.server.isRunning && !isRequested) void this.askToOffer();
    const { accessForCursor } = await flows();
    this.cursor?.offer(
      this.server.isRunning && isRequested ? await accessForCursor(this.services) : undefined,
    );
  }

  /** Asks the person once whether to offer the server. If the person agrees, the setting is changed. */
  private async askToOffer(): Promise<void> {
    if (this.context.globalState.get<boolean>(ASKED) === true) return;
    await this.context.globalState.update(ASKED, true);
    const offer = l10n.t('Offer them');
    const pressed = await this.person.inform(
      l10n.t('Offer the debugger’s tools to Cursor’s own agent while the MCP server is on?'),
      offer,
      l10n.t('Not now'),
    );
    if (pressed !== offer) return;
    await vscode.workspace
      .getConfiguration(SECTION)
      .update('offerToVsCode', true, vscode.ConfigurationTarget.Global);
  }

  private async skill(): Promise<string> {
    const { SKILL_NAME, skillText } = await flows();
    const file = this.context.asAbsolutePath(path.join('skills', SKILL_NAME, 'SKILL.md'));
    return skillText(String(await readRegularFile(file)), this.version);
  }

  /** After an update of the extension, offers to update the installed skills. Otherwise no file is read. */
  private async checkSkill(): Promise<void> {
    const written = this.context.globalState.get<string>(SKILL_VERSION);
    if (written === undefined || written === this.version) return;
    await this.context.globalState.update(SKILL_VERSION, this.version);
    const { offerSkillUpdate } = await flows();
    await offerSkillUpdate(this.services);
  }

  private get version(): string {
    return String(fields(this.context.extension.packageJSON)['version']);
  }

  private get services(): SetUpServices {
    const { server, machine, person, installed, preview } = this;
    const later = (work: Promise<void>): void =>
      void (this.afterwards = Promise.all([this.afterwards, work.catch(() => undefined)]));
    return {
      address: () => server.address(),
      isRunning: () => server.isRunning,
      isPortTaken: () => server.isPortTaken,
      keyGiven: (url) => server.keyGiven(url),
      prepareBridge: () => server.prepareBridge(),
      machine,
      person,
      installed,
      preview,
      isInEditor: showsTools(this.editor),
      markReported: async (cause) => {
        const before = this.context.globalState.get<readonly string[]>(REPORTED, []);
        if (!before.includes(cause))
          await this.context.globalState.update(REPORTED, [...before, cause]);
      },
      skill: () => this.skill(),
      skillWritten: () => this.context.globalState.update(SKILL_VERSION, this.version),
      later,
    };
  }
}

/** The code that reads and edits settings files. It is loaded on first use. */
const flows = async (): Promise<typeof Flows> =>
  await import(/* webpackChunkName: "clients" */ './installConfiguration.js');

const isOfferRequested = (): boolean =>
  vscode.workspace.getConfiguration(SECTION).get<boolean>('offerToVsCode', false);

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
