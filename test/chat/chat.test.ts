import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { ALL_TOOLS, DEFAULT_SETS } from '../../src/tools/catalog';
import { inputSchemaOf } from '../../src/tools/jsonSchema';
import {
  stopOf,
  variable,
  type Answer,
  type StopData,
  type VariableData,
} from '../host/support/stopData';
import { Conversation, HOSTILE_NAME } from './support/conversation';
import { chinese, english } from './support/words';

const CONDITION = '!order.member';
const LINE = 'total += price;';
const EXPRESSION = "catalog.get('cup') === product";
const WRITTEN = 'product.price';
const PROBED = 'const price = priceFor(order, product);';
const PRICES = ['product.price', 'order.customer'];
const CLAIM = 'product.price >= 450';
const INPUT = '$(id) `b` <b>two</b>';
const REQUESTED = 'http://127.0.0.1:9/price';
const HIDDEN = "require('fs').writeFileSync('/tmp/x', '')";
const HOSTILE = `a + \`b\` [click](command:workbench.action.quit) <b>bold</b> <a href="https://evil.example">x</a>\n\n# Approved\u202e $(check) ${'x'.repeat(1500)} ${HIDDEN} ${'x'.repeat(1500)} END`;

/** The tools of the sets that are on: those that are on by default, and `live` by the settings of the conversation. */
const TOOLS = ALL_TOOLS.filter(({ set }) => set === 'live' || DEFAULT_SETS.includes(set));

for (const words of [english, chinese]) {
  describe(`Copilot’s agent mode in ${words.name}`, function () {
    this.bail(true); // one conversation: all tests after a failure would fail as well

    const opened: Conversation[] = [];
    let talk: Conversation;
    let line: number;
    let stop: StopData;
    let thread: string;

    before(async () => {
      talk = await Conversation.open(words);
      opened.push(talk);
      line = talk.lineOf('src/checkout.js', LINE);
    });

    after(async () => {
      for (const each of opened) await each.close();
    });

    afterEach(async function () {
      await talk.pictureIfFailed(this.currentTest);
    });

    it('offers the model every tool once, under its own name', async () => {
      const { tools } = await talk.ask(words.request);
      for (const tool of TOOLS) {
        const offered = tools.filter((each) => each.name === tool.name);
        const [only, second] = offered;
        assert.ok(
          only !== undefined && second === undefined,
          `${tool.name}: ${offered.length} times`,
        );
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
      assert.deepEqual(
        (answer['configurations'] as { name: string }[]).map((each) => each.name),
        ['Checkout', HOSTILE_NAME],
      );
      await talk.chat.shows(words.doing.configurations);
    });

    it('asks before it sets a breakpoint, with the place, the condition and the text of the line', async () => {
      const card = await talk.asks('set_breakpoint', {
        file_path: 'src/checkout.js',
        line_number: line,
        condition: CONDITION,
      });
      const where = `src/checkout.js:${line}`;
      assert.deepEqual(await card.read(), {
        title: words.titles.breakpoint,
        message: words.messages.breakpoint(where, CONDITION, LINE),
        code: [where, CONDITION, LINE],
      });
      await card.allowOnce();
      const breakpoint = (await talk.answer())['breakpoint'] as Record<string, unknown>;
      assert.deepEqual(
        [
          breakpoint['id'],
          breakpoint['line'],
          breakpoint['condition'],
          breakpoint['owner'],
          breakpoint['verified'],
        ],
        [1, line, CONDITION, 'agent', false],
      );
      assert.equal(breakpoint['message'], words.noSession);
    });

    it('asks before it starts the program, which stops at the breakpoint', async () => {
      const card = await talk.asks('start_debugging', { configuration_name: 'Checkout' });
      assert.deepEqual(await card.read(), {
        title: words.titles.start,
        message: words.messages.start('Checkout', 'node', 'shop', 'src/main.js'),
        code: ['src/main.js'],
      });
      await card.allowOnce();
      stop = stopOf(await talk.answer());
      assert.deepEqual(
        [stop.line, stop.reason, stop.hit_breakpoint_ids, variable(stop, 'price').value],
        [line, 'breakpoint', [1], '450'],
      );
      await talk.chat.statusShows('agentDebugger.handOver', words.agent);
    });

    it('reads values without asking, and passes on a large answer whole', async () => {
      const { variables_reference: product } = variable(stop, 'product');
      const members = (await talk.calls('get_variables', { variables_reference: product }))[
        'variables'
      ] as VariableData[];
      assert.deepEqual(members.find((each) => each.name === 'price')?.value, '450');
      const scopes = (await talk.calls('get_scopes', { frame_id: topFrame(stop) }))['scopes'] as {
        name: string;
        variables_reference: number;
      }[];
      const global = scopes.find((each) => each.name === 'Global');
      assert.ok(global, JSON.stringify(scopes));
      const large = await talk.calls('get_variables', {
        variables_reference: global.variables_reference,
      });
      assert.equal(large.status, 'success');
      assert.ok(JSON.stringify(large).length > 5000, 'large enough to be cut');
    });

    it('asks before it evaluates', async () => {
      const card = await talk.asks('evaluate_expression', {
        expression: EXPRESSION,
        frame_id: topFrame(stop),
      });
      const place = `checkout.js:${line}`;
      const { title, message, code } = await card.read();
      assert.deepEqual(
        [title, message, [...code].sort()],
        [
          words.titles.evaluate,
          words.messages.evaluate(EXPRESSION, 'checkout', place),
          [EXPRESSION, 'checkout'],
        ],
      );
      const label = await card.label();
      assert.ok(
        label.includes(words.titles.evaluate) && label.includes(EXPRESSION),
        `what a screen reader says: ${label}`,
      );
      await talk.chat.makeRoom(460);
      await talk.picture(words.picture, 'docs/images');
      await talk.picture(words.cardPicture, 'media/walkthrough', card.root);
      await card.allowOnce();
      assert.equal((await talk.answer())['result'], 'true');
    });

    it('asks before it starts the program again to find who wrote a value', async () => {
      const card = await talk.asks('find_writer', {
        expression: WRITTEN,
        steps: 2,
        max_seconds: 60,
      });
      const place = `checkout.js:${line}`;
      const { title, message, code } = await card.read();
      assert.deepEqual(
        [title, message],
        [
          words.titles.writer,
          words.messages.writer('Checkout', 'src/main.js', WRITTEN, 'checkout', place),
        ],
      );
      assert.deepEqual([...code].sort(), ['checkout', WRITTEN, 'src/main.js']);
      await card.skip();
      await skipped();
    });

    it('asks before it starts the program again to go back to a stop', async () => {
      const card = await talk.asks('go_back', { stop_id: stop.stop_id, max_seconds: 60 });
      const where = `src/checkout.js:${line}`;
      assert.deepEqual(await card.read(), {
        title: words.titles.back,
        message: words.messages.back('Checkout', 'src/main.js', where),
        code: ['src/main.js'],
      });
      await card.skip();
      await skipped();
    });

    it('shows an expression that contains markup as one whole line of plain text', async () => {
      const card = await talk.asks('evaluate_expression', {
        expression: HOSTILE,
        frame_id: topFrame(stop),
      });
      const { message, code } = await card.read();
      const index = code.findIndex((each) => each !== 'checkout');
      const shown = code[index] ?? '';
      assert.equal(message, words.messages.evaluate(shown, 'checkout', `checkout.js:${line}`));
      assert.equal(shown, HOSTILE.replace('\n\n', ' ⏎ ').replace('\u202e', '\\u{202e}'));
      assert.equal(code.length, 2);
      assert.equal(await card.foreignElements(), 0);
      assert.equal(await card.message.locator('p').count(), 1);
      assert.ok(await card.showsAllOf(index), 'cut off at the edge of the card');
      await card.scrollToEndOf(index);
      await card.skip();
      await skipped();
    });

    it('shows a breakpoint that contains markup as plain text, and does not set it if it is skipped', async () => {
      const before = await talk.calls('get_breakpoints', {});
      const file = 'src/**checkout**`.js\n\n# Approved';
      const text = '** [x](command:y) <b>b</b> `e`';
      writeFileSync(path.join(talk.folder, file), text);
      const card = await talk.asks('set_breakpoint', {
        file_path: file,
        line_number: 1,
        condition: '\u202e<img src=x onerror=alert(1)>](command:x)',
      });
      const where = 'src/**checkout**`.js ⏎ # Approved:1';
      const condition = '\\u{202e}<img src=x onerror=alert(1)>](command:x)';
      assert.deepEqual(await card.read(), {
        title: words.titles.breakpoint,
        message: words.messages.breakpoint(where, condition, text),
        code: [where, condition, text],
      });
      assert.equal(await card.foreignElements(), 0);
      assert.equal(await card.message.locator('p').count(), 1);
      await card.skip();
      await skipped();
      const after = await talk.calls('get_breakpoints', {});
      assert.deepEqual(after['breakpoints'], before['breakpoints']);
    });

    it('shows a name that contains markup as plain text', async () => {
      const card = await talk.asks('start_debugging', { configuration_name: HOSTILE_NAME });
      assert.deepEqual(await card.read(), {
        title: words.titles.start,
        message: words.messages.start(HOSTILE_NAME, 'node', 'shop', 'src/main.js'),
        code: ['src/main.js'],
      });
      assert.equal(
        await card.foreignElements(),
        2,
        'the folder’s emphasis and the list of what is run',
      );
      await card.skip();
      await skipped();
    });

    it('does not ask about a call that would fail, and reports the reason to the model', async () => {
      const refused = await talk.calls('set_breakpoint', {
        file_path: 'src/nowhere.js',
        line_number: 1,
      });
      assert.deepEqual([refused.status, refused['code']], ['error', 'file_not_found']);
    });

    it('leaves the program at its stop if the person skips a step', async () => {
      const before = await talk.calls('get_debug_state', {});
      thread = threadName(before, stop);
      const card = await talk.asks('step_execution', {
        thread_id: stop.thread_id,
        step_type: 'over',
      });
      assert.deepEqual(await card.read(), {
        title: words.titles.step,
        message: words.messages.step(`checkout.js:${line}`, thread),
        code: [],
      });
      await card.skip();
      await skipped();
      assert.deepEqual(await talk.calls('get_debug_state', {}), before);
      assert.equal(
        (
          await talk.calls('get_variables', {
            variables_reference: variable(stop, 'product').variables_reference,
          })
        ).status,
        'success',
        'still the same stop',
      );
    });

    it('steps if the person allows it in this session, and does not ask about the next step', async () => {
      const card = await talk.asks('step_execution', {
        thread_id: stop.thread_id,
        step_type: 'over',
      });
      await card.allowInSession();
      const stepped = stopOf(await talk.answer());
      assert.deepEqual(
        [stepped.reason, stepped.stop_id, variable(stepped, 'total').value],
        ['step', stop.stop_id + 1, '450'],
      );
      stop = stopOf(
        await talk.calls('step_execution', { thread_id: stop.thread_id, step_type: 'out' }),
      );
      assert.deepEqual([stop.reason, stop.stop_id], ['step', stepped.stop_id + 1]);
    });

    it('lets the person read, reach and answer a card with the keyboard alone', async () => {
      const card = await talk.asks('continue_debugging', { thread_id: stop.thread_id });
      const state = await card.read();
      assert.deepEqual(
        [state.title, state.message],
        [words.titles.continue, words.messages.continue(`main.js:${stop.line}`, thread)],
      );
      await talk.chat.type('');
      assert.ok(await card.reach('skip', 'Shift+Tab'), 'Skip is not reached');
      assert.ok(await card.reach('session', 'Shift+Tab'), 'Allow is not reached');
      await talk.chat.page.keyboard.press('Enter');
      await card.gone();
      stop = stopOf(await talk.answer());
      assert.deepEqual([stop.line, variable(stop, 'price').value], [line, '1080']);
    });

    it('asks before it ends the session', async () => {
      const card = await talk.asks('stop_debugging', {});
      assert.deepEqual(await card.read(), {
        title: words.titles.stop,
        message: words.messages.stop('Checkout'),
        code: [],
      });
      await card.allowOnce();
      const answer = await talk.answer();
      assert.deepEqual([answer.status, answer['ended']], ['success', true]);
    });

    it('asks before it starts a program, with its input and the whole request that it sends', async () => {
      const card = await talk.asks('start_debugging', {
        configuration_name: 'Checkout',
        stdin: '7 8',
        trigger: { method: 'POST', url: REQUESTED, body: 'two cups', after: 'ready' },
      });
      const start = words.messages.start('Checkout', 'node', 'shop', 'src/main.js');
      const request = `POST ${REQUESTED}`;
      assert.deepEqual(await card.read(), {
        title: words.titles.start,
        message: `${start} ${words.messages.input('7 8')} ${words.messages.trigger('ready', request, 'two cups')}`,
        code: ['src/main.js', '7 8', 'ready', request, 'two cups'],
      });
      await card.skip();
      await skipped();
    });

    it('asks before it writes to a program, and before it halts one to count its objects', async () => {
      const start = await talk.asks('start_debugging', {
        configuration_name: 'Checkout',
        stdin_open: true,
      });
      await start.allowOnce();
      const here = stopOf(await talk.answer());
      // js-debug gives the session of the program itself a name with the process id.
      const name = sessionName(await talk.calls('get_debug_state', {}), here);
      assert.match(name, /^main\.js \[\d+\]$/);
      const send = await talk.asks('send_input', { text: INPUT, eof: true });
      assert.deepEqual(await send.read(), {
        title: words.titles.send,
        message: words.messages.send(`${INPUT}⏎`, name),
        code: [`${INPUT}⏎`],
      });
      await send.skip();
      await skipped();
      const heap = await talk.asks('compare_heap', {});
      assert.deepEqual(await heap.read(), {
        title: words.titles.heap,
        message: words.messages.heap(name),
        code: [],
      });
      await heap.skip();
      await skipped();
      // They start a program, too, and end it.
      const program = words.messages.start('Checkout', 'node', 'shop', 'src/main.js');
      const { heap: counts, hang, collect } = words.titles;
      const { startedHeap, startedHang, startedExceptions } = words.messages;
      for (const [tool, title, message, more] of [
        ['compare_heap', counts, startedHeap(3), { wait_seconds: 3 }],
        ['explain_hang', hang, startedHang(3), { wait_seconds: 3 }],
        ['collect_values', collect, startedExceptions(9), { exceptions: true, max_seconds: 9 }],
      ] as const) {
        const card = await talk.asks(tool, { configuration_name: 'Checkout', ...more });
        assert.deepEqual(await card.read(), {
          ...{ title, message: `${program} ${message}` },
          code: ['src/main.js'],
        });
        await card.skip();
        await skipped();
      }
      await (await talk.asks('stop_debugging', {})).allowOnce();
      assert.equal((await talk.answer())['ended'], true);
    });

    it('asks before it collects, with the program, the place, the expressions, the limits and the end', async () => {
      const card = await talk.asks('collect_values', {
        configuration_name: 'Checkout',
        probes: [
          {
            file_path: 'src/checkout.js',
            line_content: PROBED,
            expressions: PRICES,
            expect: CLAIM,
          },
        ],
        max_hits: 50,
        max_seconds: 20,
      });
      const where = `src/checkout.js:${talk.lineOf('src/checkout.js', PROBED)}`;
      const start = words.messages.start('Checkout', 'node', 'shop', 'src/main.js');
      assert.deepEqual(await card.read(), {
        title: words.titles.collect,
        message: `${start} ${words.messages.collect(where, PROBED, PRICES, CLAIM, [50, 20])}`,
        code: ['src/main.js', where, PROBED, ...PRICES, CLAIM],
      });
      await card.allowOnce();
      const answer = await talk.answer();
      // The earlier breakpoint stops the program at Bo's cup, whose price a member's discount has changed.
      assert.deepEqual(
        [answer.status, answer['ended_by'], answer['hits']],
        ['stopped', 'breakpoint', 3],
        JSON.stringify(answer),
      );
      assert.deepEqual(
        (answer['rows'] as unknown[][]).at(-1)?.slice(-2),
        ['450', '"Bo"'],
        JSON.stringify(answer),
      );
      await talk.say('Done.');
    });

    it('offers the person its tools under one name in the picker, and each by #', async () => {
      const tools = await talk.chat.pickerTools();
      assert.deepEqual([...tools.keys()].sort(), TOOLS.map((each) => each.name).sort());
      assert.equal(tools.get('start_debugging'), words.picker.startDebugging);
      await talk.chat.refer('step_execution');
      const { messages } = await talk.ask(words.request);
      assert.match(
        String(messages.at(-1)?.content),
        /<toolReferences>[^<]*\n- step_execution\n<\/toolReferences>/u,
      );
      await talk.say('Done.');
    });

    /** Asserts that the model receives VS Code's text for a skipped call, which has no result. */
    async function skipped(): Promise<void> {
      assert.match(await talk.toolText(), /^The user chose to skip the tool call/u);
    }
  });
}

function topFrame(stop: StopData): number {
  const [frame] = stop.call_stack;
  assert.ok(frame);
  return frame.frame_id;
}

function sessionName(state: Answer, stop: StopData): string {
  const sessions = state['sessions'] as { session_id: string; name: string }[];
  return sessions.find((each) => each.session_id === stop.session_id)?.name ?? '';
}

function threadName(state: Answer, stop: StopData): string {
  const sessions = state['sessions'] as {
    session_id: string;
    threads?: { id: number; name: string }[];
  }[];
  return (
    sessions
      .flatMap((each) => (each.session_id === stop.session_id ? (each.threads ?? []) : []))
      .find((each) => each.id === stop.thread_id)?.name ?? ''
  );
}
