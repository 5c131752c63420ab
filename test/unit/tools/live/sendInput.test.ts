import { strict as assert } from 'node:assert';
import { ask } from '../../support/asking';
import { readCard } from '../../support/card';
import { cardText, configured } from '../../support/cards';
import { eventOf, stopped } from '../../support/events';
import { FakeInputFile } from '../../support/inputFiles';
import { bench, failsWith, paused, running, type Bench } from '../../support/services';

const NODE = { name: 'Shop', type: 'node', request: 'launch', program: '/home/ada/app/main.js' };
const JAVA = { name: 'Java', type: 'java', request: 'launch', mainClass: 'A', args: 'a\nid' };
const ATTACH = { name: 'Attach', type: 'node', request: 'attach', port: 9229 };

function withConfigurations(): Bench {
  const on = configured([NODE, JAVA, ATTACH], {
    compounds: [{ name: 'Both', configurations: ['Shop', 'Java'] }],
  });
  on.workspace.installed = [
    { type: 'node', languages: ['javascript'] },
    { type: 'java', languages: ['java'] },
  ];
  on.workspace.files.set('/home/ada/app/in put.txt', 'x');
  return on;
}

describe('start_debugging: standard input', () => {
  const line = async (more: object): Promise<string | undefined> =>
    readCard(
      await cardText(withConfigurations(), 'start_debugging', {
        configuration_name: 'Shop',
        ...more,
      }),
    ).at(-1);

  it('is on the card, in full', async () => {
    assert.equal(await line({ stdin: 'a\n$(b)' }), 'Its standard input is a ⏎ $(b)');
    assert.equal(await line({ stdin: '' }), 'Its standard input is empty');
    assert.equal(
      await line({ stdin_open: true }),
      'Its standard input stays open for further calls',
    );
    assert.equal(
      await line({ stdin: 'a', stdin_open: true }),
      'Its standard input begins with a and stays open for further calls',
    );
    assert.equal(
      await line({ stdin_file: 'in put.txt' }),
      'Its standard input is the file in put.txt',
    );
  });

  it('is refused if the program cannot get it, and nothing is started', async () => {
    const refuses = async (code: string, input: object): Promise<void> => {
      const on = withConfigurations();
      const named = { configuration_name: 'Shop', ...input };
      await assert.rejects(cardText(on, 'start_debugging', named), failsWith(code));
      const answer = await ask(on, 'start_debugging', named);
      assert.equal(answer['code'], code, JSON.stringify(answer));
      assert.equal(on.inputFiles.made.length, 0);
    };
    await refuses('invalid_input', { stdin: 'x'.repeat(1_000_000) });
    await refuses('invalid_input', { stdin: 'x', stdin_file: 'in put.txt' });
    await refuses('invalid_input', { stdin_open: true, stdin_file: 'in put.txt' });
    await refuses('file_not_found', { stdin_file: 'missing.txt' });
    await refuses('invalid_input', { configuration_name: 'Both', stdin: 'x' });
    await refuses('invalid_input', { configuration_name: 'Attach', stdin: 'x' });
    await refuses('not_supported', { configuration_name: 'Java', stdin: 'x' });
  });
});

describe('send_input', () => {
  const open = (on: Bench, staysOpen = true): FakeInputFile => {
    const file = new FakeInputFile({ text: '', staysOpen });
    on.services.inputs.keep(file, {
      roots: () => [...on.model.state.sessions.values()],
      isComing: false,
    });
    return file;
  };
  const print = (on: Bench, text: string): void =>
    on.model.dispatch(eventOf('output', { category: 'stdout', output: text }));

  it('shows the text on the card, and whether the input is closed', async () => {
    const on = running(bench());
    open(on);
    const card = async (input: object): Promise<string | undefined> =>
      readCard(await cardText(on, 'send_input', input))[0];
    assert.match((await card({ text: '$(id)\ny' })) ?? '', /^Write \$\(id\) ⏎ y⏎ to the standard/);
    assert.match((await card({ text: 'y', newline: false })) ?? '', /^Write y to the standard/);
    assert.match((await card({ text: 'y', eof: true })) ?? '', /, and close it$/);
    assert.match((await card({ eof: true })) ?? '', /^Close the standard input of/);
  });

  it('returns what the program printed since, without a line end as well', async () => {
    const on = running(bench());
    const file = open(on);
    print(on, 'name? ');
    file.onWrite = () => print(on, 'age? ');
    const { status, output } = await ask(on, 'send_input', { text: 'Ada' });
    assert.deepEqual([status, output], ['success', ['name? age? ']]);
    assert.deepEqual(file.written, ['', 'Ada\n']);
  });

  it('returns the stop that follows', async () => {
    const on = running(bench());
    open(on).onWrite = () => {
      print(on, 'got it\n');
      on.model.dispatch(stopped(1, { reason: 'breakpoint' }));
    };
    const answer = await ask(on, 'send_input', { text: 'Ada', newline: false });
    assert.equal(answer.status, 'stopped');
  });

  it('says if the program does nothing', async () => {
    const on = running(bench());
    open(on);
    const answer = await ask(on, 'send_input', { text: 'Ada', timeout_seconds: 1 });
    assert.equal(answer.status, 'timeout');
    assert.match(String(answer['message']), /may not have read it/);
  });

  it('writes for a stopped program at once', async () => {
    const on = paused(bench());
    const file = open(on);
    const answer = await ask(on, 'send_input', { text: 'Ada' });
    assert.equal(answer.status, 'success');
    assert.match(String(answer['message']), /stopped/);
    assert.deepEqual(file.written, ['', 'Ada\n']);
  });

  it('closes the input, and then takes no more', async () => {
    const on = paused(bench());
    const file = open(on);
    await ask(on, 'send_input', { eof: true });
    assert.equal(file.state, 'closed');
    assert.equal((await ask(on, 'send_input', { text: 'x' }))['code'], 'input_closed');
  });

  it('fails if nothing can be written', async () => {
    const code = async (on: Bench, input: object = { text: 'x' }): Promise<unknown> =>
      (await ask(on, 'send_input', input))['code'];
    assert.equal(await code(bench()), 'no_session');
    assert.equal(await code(running(bench())), 'input_not_open');
    const fixed = running(bench());
    open(fixed, false);
    assert.equal(await code(fixed), 'input_not_open');
    const on = running(bench());
    const file = open(on);
    assert.equal(await code(on, {}), 'invalid_input');
    assert.equal(await code(on, { text: 'x'.repeat(1_000_000) }), 'invalid_input');
    file.room = 3;
    assert.equal(await code(on, { text: 'four' }), 'input_full');
    file.isRead = false;
    assert.equal(await code(on), 'input_closed');
  });

  it('has no input left when the session has ended', async () => {
    const on = running(bench());
    const file = open(on);
    on.model.dispatch({ type: 'sessionEnded', key: 'a', at: 1 });
    await new Promise(setImmediate);
    assert.ok(file.isRemoved);
  });
});
