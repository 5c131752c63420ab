import { strict as assert } from 'node:assert';
import { EntryHold } from '../../../../src/tools/trace/entryHold';
import { debugTypeOf, reachFor, type ReachInput } from '../../../../src/tools/trace/reach';
import { bench, type Bench } from '../../support/services';

const FOLDER = '/home/ada/app';
const SCRIPT = `${FOLDER}/main.js`;
const MODULE = `${FOLDER}/cart.js`;
const TEST = `${FOLDER}/cart.test.js`;

/** A workspace in which js-debug starts programs of Node. */
function node(): Bench {
  const on = bench();
  on.workspace.installed = [{ type: 'node', languages: ['javascript'] }];
  on.workspace.files
    .set(SCRIPT, "import { add } from './cart.js';\nadd(1);\n")
    .set(MODULE, 'export function add(n) {\n  return n;\n}\nlet last = 0;\n')
    .set(TEST, "import test from 'node:test';\n\ntest('adds', () => {});\n")
    .set(`${FOLDER}/package.json`, '{}');
  return on;
}

/** The places at which a program is held, as `file:line`. */
async function heldAt(on: Bench, input: ReachInput, files: readonly string[]): Promise<string[]> {
  const reach = await reachFor(on.services, input);
  const hold = await EntryHold.of(on.services, reach, debugTypeOf(reach), files);
  hold.set();
  const places = on.host
    .breakpoints()
    .map((set) => (set.kind === 'source' ? `${set.path}:${set.line}` : set.kind));
  hold.dispose();
  assert.deepEqual(on.host.breakpoints(), []);
  return places;
}

describe('where a program of Node is held until its breakpoints are set', () => {
  it('is the first statement of the files with probes, in a program and in a test', async () => {
    assert.deepEqual(await heldAt(node(), { program: SCRIPT }, [MODULE]), [`${MODULE}:4`]);
    const test = { file_path: TEST, test_name: 'adds' };
    assert.deepEqual(await heldAt(node(), { test }, [TEST]), [`${TEST}:3`]);
    assert.deepEqual(await heldAt(node(), { test }, [MODULE, TEST]), [`${MODULE}:4`, `${TEST}:3`]);
  });

  it('is the script, if files are unknown or have no statement', async () => {
    assert.deepEqual(await heldAt(node(), { program: SCRIPT }, []), [`${SCRIPT}:2`]);
    const on = node();
    on.workspace.files.set(MODULE, 'export function add(n) {\n  return n;\n}\n');
    assert.deepEqual(await heldAt(on, { program: SCRIPT }, [MODULE]), [`${SCRIPT}:2`]);
    assert.deepEqual(await heldAt(on, { program: SCRIPT }, [SCRIPT, MODULE]), [`${SCRIPT}:2`]);
  });

  it('is no place at which the person has a breakpoint', async () => {
    const on = node();
    const theirs = on.host.addBreakpoint({ kind: 'source', path: MODULE, line: 4 });
    const reach = await reachFor(on.services, { program: SCRIPT });
    const hold = await EntryHold.of(on.services, reach, 'node', [MODULE]);
    hold.set();
    assert.equal(hold.isSet, false);
    hold.dispose();
    assert.deepEqual(on.host.breakpoints(), [theirs]);
  });

  it('is nowhere, if the debugger sets breakpoints in time or attaches', async () => {
    const on = node();
    const reach = await reachFor(on.services, { program: SCRIPT });
    const other = await EntryHold.of(on.services, reach, 'debugpy', [MODULE]);
    other.set();
    assert.equal(other.isSet, false);
    assert(reach.kind === 'launch');
    const launches = reach.plan.launches.map((launch) => ({
      ...launch,
      configuration: { ...launch.configuration, request: 'attach' },
    }));
    const attached = { ...reach, plan: { ...reach.plan, launches } };
    const hold = await EntryHold.of(on.services, attached, 'node', [MODULE]);
    hold.set();
    assert.equal(hold.isSet, false);
  });
});
