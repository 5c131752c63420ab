import { strict as assert } from 'node:assert';
import { overrides } from '../../../../src/tools/launch/launchOverrides';
import { startInput } from '../../../../src/tools/launch/startInput';
import { bench, failsWith } from '../../support/services';

const set = (configuration: object, input: object) =>
  overrides(bench().services, { request: 'launch', ...configuration }, startInput.parse(input));

describe('the attributes that a call sets in a configuration', () => {
  it('are only those that it passes', async () => {
    assert.deepEqual(await set({ args: ['a'], cwd: '/x', stopOnEntry: true }, {}), {});
    assert.deepEqual(await set({ args: 'a b' }, { args: [] }), { args: [] });
    assert.deepEqual(await set({ stopOnEntry: true }, { stop_on_entry: false }), {
      stopOnEntry: false,
    });
    assert.deepEqual(await set({}, { cwd: '/tmp/x' }), { cwd: '/tmp/x' });
  });

  it('add environment variables, in the form that the debugger accepts', async () => {
    assert.deepEqual(await set({ env: { A: '1', B: '2' } }, { env: { B: '3', C: '4' } }), {
      env: { A: '1', B: '3', C: '4' },
    });
    assert.deepEqual(await set({ env: ['A=1', 'B=2=2', 'D'] }, { env: { B: '3', D: '4' } }), {
      env: ['A=1', 'B=3', 'D=4'],
    });
    assert.deepEqual(await set({}, { env: { C: '4' } }), { env: { C: '4' } });
  });

  it('are refused for a program that is already running', async () => {
    for (const input of [{ args: ['a'] }, { env: { A: '1' } }])
      await assert.rejects(set({ request: 'attach' }, input), failsWith('invalid_input'));
    assert.deepEqual(await set({ request: 'attach' }, { stop_on_entry: true }), {
      stopOnEntry: true,
    });
  });
});
