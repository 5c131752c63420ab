import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { call, cleanUp, errorOf, inWorkspace, type Answer } from '../../host/support/client';
import { AskedPerson } from './support';

/** Compares the question to the person with the commands and programs that VS Code really runs. */
describe('a project whose configurations do more than they show', () => {
  const ran: unknown[] = [];
  let command: vscode.Disposable;
  let person: AskedPerson;

  before(async () => {
    command = vscode.commands.registerCommand('hostile.run', (args: unknown) => {
      ran.push(args);
      return 'done';
    });
    person = await AskedPerson.meet();
  });
  beforeEach(() => (ran.length = 0));
  afterEach(cleanUp);
  after(async () => {
    command.dispose();
    await person.leave();
  });

  const printed = (result: Answer): string => JSON.stringify(result['output']);

  it('the card names the program that runs for a section for the operating system', async () => {
    const { result, question } = await person.call(
      'start_debugging',
      { configuration_name: 'Sections' },
      'allowed',
    );
    assert.match(printed(result), /evil/, JSON.stringify(result));
    assert.match(question ?? '', /Runs `src\/evil\.js`/);
    assert.doesNotMatch(question ?? '', /good\.js/);
  });

  it('the card names the command and its arguments for an input of the type “command”', async () => {
    const { result, question } = await person.call(
      'start_debugging',
      { configuration_name: 'Input' },
      'declined',
    );
    assert.equal(result['code'], 'declined_by_person');
    assert.match(
      question ?? '',
      /Runs the command `hostile\.run` with `\{"file":"\/etc\/passwd"\}`/,
    );
    assert.deepEqual(ran, []);
    await call('start_debugging', { configuration_name: 'Input' });
    assert.deepEqual(ran, [{ file: '/etc/passwd' }], 'it is what VS Code runs');
  });

  it('the card names the command that VS Code runs for a setting that contains a variable', async () => {
    const { question } = await person.call(
      'start_debugging',
      { configuration_name: 'Setting' },
      'declined',
    );
    assert.match(question ?? '', /Runs the command `hostile\.run`/);
    assert.deepEqual(ran, []);
    await call('start_debugging', { configuration_name: 'Setting' });
    assert.equal(ran.length, 1, 'VS Code does run it');
  });

  it('variables that an agent passes are refused, and nothing runs', async () => {
    const variable = '${command:hostile.run}';
    for (const input of [
      { args: [variable] },
      { env: { A: variable } },
      { env: { [variable]: '1' } },
      { cwd: `${inWorkspace('')}/${variable}` },
    ]) {
      errorOf(await call('start_debugging', { program: 'src/good.js', ...input }), 'invalid_input');
    }
    errorOf(
      await call('start_debugging', {
        configuration_name: 'Input',
        inputs: { harmless: variable },
      }),
      'invalid_input',
    );
    errorOf(
      await call('start_debugging', {
        configuration_name: 'Asks',
        inputs: { text: '{command:hostile.run}' },
      }),
      'invalid_input',
    );
    assert.deepEqual(ran, []);
  });

  it('arguments in which VS Code replaces nothing reach the program unchanged', async () => {
    const args = [
      '${name}',
      '${HOME}',
      '${1:-x}',
      '$HOME',
      '`${a.b()}`',
      '${filename}',
      '${Command:hostile.run}',
      '${foo:${bar}}',
    ];
    const result = await call('start_debugging', { program: 'src/good.js', args });
    assert.ok(
      printed(result).includes(JSON.stringify(JSON.stringify(args)).slice(1, -1)),
      JSON.stringify(result),
    );
    assert.deepEqual(ran, []);
  });

  it('a function name of several lines is refused', async () => {
    errorOf(
      await call('set_breakpoint', { function_name: 'main\nplatform shell touch x' }),
      'invalid_input',
    );
    assert.equal(vscode.debug.breakpoints.length, 0);
  });
});
