import { strict as assert } from 'node:assert';
import { TOOLS } from '../../src/tools/catalog';
import { inputSchemaOf } from '../../src/tools/jsonSchema';
import { stopOf, variable, type StopData } from '../host/support/stopData';
import type { Question } from './support/chatWindow';
import { Conversation } from './support/conversation';
import { english as words } from './support/words';

const FILE = 'src/checkout.js';
const CONDITION = '!order.member';
const LINE = 'total += price;';
/** Another breakpoint, at which the program never stops. */
const OTHER_LINE = 'const price = priceFor(order, product);';
const NEVER = 'order.customer === "Nobody"';
/** The text that the model receives instead of a result if a card was skipped. */
const SKIPPED = /^The user rejected this tool call/u;
/** The text that the model receives instead of a result if a dialog was cancelled. */
const CANCELLED = /^Canceled$/u;

describe('Copilot’s agent mode in the Agent Host', function () {
  this.bail(true); // one conversation: all tests after a failure would fail as well

  let opened: Conversation | undefined;
  let talk: Conversation;
  let line: number;
  let stop: StopData;

  before(async () => {
    talk = opened = await Conversation.open(words, 'copilot');
    line = talk.lineOf(FILE, LINE);
    await talk.chat.chooseSession('Copilot');
  });

  after(() => opened?.close());

  afterEach(async function () {
    await talk.pictureIfFailed(this.currentTest);
  });

  it('offers the model every tool once, under its own name', async () => {
    const { tools } = await talk.ask('What can you debug?');
    for (const tool of TOOLS) {
      const [only, second] = tools.filter((each) => each.name === tool.name);
      assert.ok(only !== undefined && second === undefined, tool.name);
      assert.equal(only.description, tool.modelDescription);
      assert.deepEqual(
        Object.keys((only.parameters as { properties: object }).properties),
        Object.keys(inputSchemaOf(tool)['properties'] as object),
        tool.name,
      );
    }
  });

  it('reads the configurations without asking', async () => {
    const answer = await talk.calls('get_debugger_configurations', {});
    assert.equal((answer['configurations'] as { name: string }[])[0]?.name, 'Checkout');
  });

  // VS Code 1.139 shows no call of a session's first message in the chat before that message is answered
  // (microsoft/vscode#332087), and asks about such a call in a dialog of its own.
  it('asks about a breakpoint in the first message, and does not set it if the person declines', async () => {
    const question = await talk.asksSomehow('set_breakpoint', breakpoint(OTHER_LINE, NEVER));
    await showsBreakpoint(question, OTHER_LINE, NEVER);
    await question.skip();
    assert.match(await talk.toolText(), new RegExp(`${SKIPPED.source}|${CANCELLED.source}`, 'u'));
    assert.deepEqual(await breakpoints(), []);
  });

  it('sets the breakpoint if the person allows it, and asks nothing else', async () => {
    const question = await talk.asksSomehow('set_breakpoint', breakpoint(OTHER_LINE, NEVER));
    await showsBreakpoint(question, OTHER_LINE, NEVER);
    await question.allowOnce();
    assert.equal((await talk.answer()).status, 'success');
    assert.deepEqual(await breakpoints(), [[talk.lineOf(FILE, OTHER_LINE), NEVER]]);
    await talk.say('I can debug Checkout.');
  });

  it('asks on a card in the next messages, and does not set a skipped breakpoint', async () => {
    await talk.ask(words.request);
    const card = await talk.asks('set_breakpoint', breakpoint(LINE, CONDITION));
    await showsBreakpoint(card, LINE, CONDITION);
    assert.equal(await talk.chat.dialogCount(), 0, 'asked in a dialog as well');
    await card.skip();
    assert.match(await talk.toolText(), SKIPPED);
    assert.equal((await breakpoints()).length, 1);
  });

  it('sets the breakpoint that is allowed on the card', async () => {
    const card = await talk.asks('set_breakpoint', breakpoint(LINE, CONDITION));
    await card.allowOnce();
    assert.equal((await talk.answer()).status, 'success');
    assert.deepEqual((await breakpoints()).at(-1), [line, CONDITION]);
  });

  it('does not start the program if the person skips the call', async () => {
    const card = await talk.asks('start_debugging', { configuration_name: 'Checkout' });
    assert.deepEqual(await card.read(), {
      title: words.titles.start,
      message: words.messages.start('Checkout', 'node', 'shop', 'src/main.js'),
      code: ['src/main.js'],
    });
    await card.skip();
    assert.match(await talk.toolText(), SKIPPED);
    assert.deepEqual((await talk.calls('get_debug_state', {}))['sessions'], []);
  });

  it('starts the program if the person allows it, and reports its stop to the model', async () => {
    const card = await talk.asks('start_debugging', { configuration_name: 'Checkout' });
    await card.allowOnce();
    stop = stopOf(await talk.answer());
    assert.deepEqual(
      [stop.line, stop.reason, variable(stop, 'price').value],
      [line, 'breakpoint', '450'],
    );
    await talk.chat.statusShows('agentDebugger.handOver', words.agent);
  });

  it('reads values without asking, and steps without asking again if that is allowed in the session', async () => {
    const { variables_reference: product } = variable(stop, 'product');
    const answer = await talk.calls('get_variables', { variables_reference: product });
    assert.equal(answer.status, 'success');
    const step = { thread_id: stop.thread_id, step_type: 'over' };
    const card = await talk.asks('step_execution', step);
    await card.allowInSession();
    assert.equal(stopOf(await talk.answer()).stop_id, stop.stop_id + 1);
    assert.equal(stopOf(await talk.calls('step_execution', step)).stop_id, stop.stop_id + 2);
  });

  it('asks before it ends the session', async () => {
    const card = await talk.asks('stop_debugging', {});
    await card.allowOnce();
    const answer = await talk.answer();
    assert.deepEqual([answer.status, answer['ended']], ['success', true]);
    await talk.say('Done.');
  });

  function breakpoint(text: string, condition: string): object {
    return { file_path: FILE, line_number: talk.lineOf(FILE, text), condition };
  }

  async function showsBreakpoint(
    question: Question,
    text: string,
    condition: string,
  ): Promise<void> {
    const { title, message } = await question.read();
    const where = `${FILE}:${talk.lineOf(FILE, text)}`;
    assert.deepEqual(
      [title, message],
      [words.titles.breakpoint, words.messages.breakpoint(where, condition, text)],
    );
  }

  /** The lines and conditions of all breakpoints that are set. */
  async function breakpoints(): Promise<unknown[]> {
    const answer = await talk.calls('get_breakpoints', {});
    return (answer['breakpoints'] as { line: number; condition: string }[]).map((each) => [
      each.line,
      each.condition,
    ]);
  }
});
