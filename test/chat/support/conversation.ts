import { strict as assert } from 'node:assert';
import { pathToFileURL } from 'node:url';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import type * as Chat from '../../../scripts/vscodeHost/chat.mjs' with {
  'resolution-mode': 'import',
};
import type { Answer } from '../../host/support/stopData';
import { ChatWindow, type Card, type Question } from './chatWindow';
import { ScriptedModel, type Turn } from './scriptedModel';
import type { Words } from './words';

export const ROOT = path.resolve(__dirname, '../../../..');
/** A configuration's name that contains markup. */
export const HOSTILE_NAME =
  '**Checkout** [x](command:y) <b>b</b> $(check) https://evil.example &amp; a_b_c ~~d~~ 1. # `e`';

const EXAMPLE = path.join(ROOT, 'examples/shop');
const PACKAGE = path.join(ROOT, '.vscode-test/agent-debugger.vsix');

/** The budget of one answer (`agentDebugger.maxResultCharacters`). */
const MAX_CHARACTERS = 7500;

const SETTINGS = {
  'agentDebugger.sets.live': true,
  // The model on loopback also generates titles; otherwise VS Code requires another model for them.
  'chat.byokUtilityModelDefault': 'mainAgent',
  'chat.tools.riskAssessment.enabled': false,
  'debug.openDebug': 'neverOpen',
  'debug.internalConsoleOptions': 'neverOpen',
  'editor.minimap.enabled': false,
  'editor.scrollBeyondLastLine': false,
};

/** The kind of VS Code session in which the agent runs: Local or Copilot. */
export type Harness = NonNullable<Chat.ChatOptions['harness']>;

/** A person, an agent and a model in one window of VS Code. */
export class Conversation {
  private turn: Turn | undefined;

  private constructor(
    readonly words: Words,
    readonly chat: ChatWindow,
    readonly folder: string,
    private readonly model: ScriptedModel,
    private readonly host: Chat.ChatHost,
  ) {}

  /** Opens VS Code with the packaged extension on a copy of `examples/shop` that has one more configuration. */
  static async open(words: Words, harness: Harness = 'local'): Promise<Conversation> {
    const { openChat } = (await import(
      pathToFileURL(path.join(ROOT, 'scripts/vscodeHost/chat.mjs')).href
    )) as typeof Chat;
    const scratch = mkdtempSync(path.join(tmpdir(), 'agent-debugger-shop-'));
    const folder = path.join(scratch, 'shop');
    cpSync(EXAMPLE, folder, { recursive: true });
    writeFileSync(
      path.join(folder, '.vscode/launch.json'),
      JSON.stringify({
        configurations: ['Checkout', HOSTILE_NAME].map((name) => ({
          name,
          type: 'node',
          request: 'launch',
          program: '${workspaceFolder}/src/main.js',
        })),
      }),
    );
    // A project's settings must not suppress any card in the tests.
    writeFileSync(
      path.join(folder, '.vscode/settings.json'),
      JSON.stringify(
        Object.fromEntries(
          ['control', 'change', 'look'].map((kind) => [`agentDebugger.consent.${kind}`, 'allow']),
        ),
      ),
    );
    const model = await ScriptedModel.listen();
    try {
      const host = await openChat({
        folder,
        extension: PACKAGE,
        model: model.address,
        language: words.language,
        settings: SETTINGS,
        harness,
        size: { width: 1200, height: 660 },
      });
      return new Conversation(words, new ChatWindow(host.page, words), folder, model, host);
    } catch (error) {
      await model.close();
      rmSync(scratch, { recursive: true, force: true });
      throw error;
    }
  }

  async close(): Promise<void> {
    try {
      await this.host.close();
    } finally {
      await this.model.close();
      rmSync(path.dirname(this.folder), { recursive: true, force: true });
    }
  }

  /** Sends a message as the person. @returns the model's turn */
  async ask(text: string): Promise<Turn> {
    await this.chat.ask(text);
    return await this.nextTurn();
  }

  /** Ends the agent's turn with a text, and waits until the chat shows it. */
  async say(text: string): Promise<void> {
    this.current().say(text);
    await this.chat.shows(text);
  }

  /** Lets the model call a tool that the person is asked about. @returns the card */
  async asks(tool: string, input: object): Promise<Card> {
    this.current().call(tool, input);
    return await this.chat.card();
  }

  /** Lets the model call a tool that VS Code asks about on a card or in a dialog. @returns the question */
  async asksSomehow(tool: string, input: object): Promise<Question> {
    this.current().call(tool, input);
    return await this.chat.question();
  }

  /** Lets the model call a tool that the person is not asked about: the answer arrives without any input. */
  async calls(tool: string, input: object): Promise<Answer> {
    this.current().call(tool, input);
    const answer = await this.answer();
    assert.equal(await this.chat.cardCount(), 0, `${tool} shows a card`);
    assert.equal(await this.chat.dialogCount(), 0, `${tool} opens a dialog`);
    return answer;
  }

  /** The answer of the call that the model receives: one whole JSON object within the budget. */
  async answer(): Promise<Answer> {
    const text = await this.toolText();
    assert.ok(text.startsWith('{"status":"'), `not an answer of ours: ${text.slice(0, 300)}`);
    assert.ok(text.length <= MAX_CHARACTERS, `${text.length} characters`);
    return JSON.parse(text) as Answer;
  }

  /** The text that the model receives for the call, in any form. */
  async toolText(): Promise<string> {
    const turn = await this.nextTurn();
    const last = turn.messages.at(-1);
    assert.equal(last?.role, 'tool', JSON.stringify(last).slice(0, 300));
    assert.ok(typeof last.content === 'string', 'the answer is one text');
    return last.content;
  }

  /**
   * Takes a picture of the whole window, or of an element.
   * @param folder the folder for the picture if AGENT_DEBUGGER_PICTURES is set
   */
  async picture(name: string, folder?: string, element?: Locator): Promise<string> {
    const renewed = process.env['AGENT_DEBUGGER_PICTURES'] ? folder : undefined;
    const file = path.join(ROOT, renewed ?? '.vscode-test/pictures', name);
    await (element ?? this.chat.page).screenshot({ path: file });
    return path.relative(process.cwd(), file);
  }

  /** Takes a picture of the window after a failed test. */
  async pictureIfFailed(test: Mocha.Runnable | undefined): Promise<void> {
    if (test?.state !== 'failed') return;
    const name = test.fullTitle().replace(/[^\p{L}\p{N}]+/gu, '-');
    console.log(`      picture: ${await this.picture(`${name}.png`)}`);
  }

  /** The 1-based number of the only line of a file that contains the text. */
  lineOf(file: string, text: string): number {
    const found = readFileSync(path.join(this.folder, file), 'utf8')
      .split('\n')
      .flatMap((each, index) => (each.includes(text) ? [index + 1] : []));
    const [only, second] = found;
    assert.ok(
      only !== undefined && second === undefined,
      `${found.length} lines of ${file} hold ${text}`,
    );
    return only;
  }

  private async nextTurn(): Promise<Turn> {
    this.turn = await this.model.asked();
    return this.turn;
  }

  private current(): Turn {
    assert.ok(this.turn, 'it is not the model’s turn');
    return this.turn;
  }
}
