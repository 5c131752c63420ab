import { strict as assert } from 'node:assert';
import { MeantPrograms } from '../../../../src/debugger/breakpoints/meantPrograms';
import type { SessionState } from '../../../../src/debugger/state/state';
import { created, ended, failed, sessionAfter } from '../../support/events';

const program = (path: string, isFailing = false): SessionState =>
  sessionAfter([
    created('a', { name: 'run', configuration: { program: path } }),
    ...(isFailing ? [failed('no such file')] : []),
    ended(),
  ]);

const ONE = program('/one.py');
const TWO = program('/two.py');

describe('the programs that a breakpoint is meant for', () => {
  it('are those that run when it is set, and those that start until one of them ends', () => {
    const meant = new MeantPrograms();
    meant.set('b', [ONE]);
    meant.started(TWO);
    meant.ended(ONE);
    meant.started(program('/three.py'));
    assert.deepEqual(
      [ONE, TWO, program('/three.py')].map((each) => meant.isFor('b', each)),
      [true, true, false],
    );
  });

  it('do not change if a program ends for which it was not set, or that did not start', () => {
    const meant = new MeantPrograms();
    meant.set('b', []);
    meant.ended(TWO);
    meant.started(ONE);
    meant.ended(program('/one.py', true));
    meant.started(TWO);
    assert.equal(meant.isFor('b', TWO), true);
  });

  it('are kept when its line moves, and are collected again when it is set again', () => {
    const meant = new MeantPrograms();
    meant.set('b', [ONE]);
    meant.ended(ONE);
    const as = meant.of('b');
    meant.forget('b');
    meant.takeOver('c', as);
    meant.started(TWO);
    assert.deepEqual([meant.isFor('c', ONE), meant.isFor('c', TWO)], [true, false]);
    assert.equal(meant.isFor('b', ONE), false);
    meant.set('c', []);
    meant.started(TWO);
    assert.deepEqual([meant.isFor('c', ONE), meant.isFor('c', TWO)], [false, true]);
  });
});
