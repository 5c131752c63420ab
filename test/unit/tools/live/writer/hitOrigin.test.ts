import { strict as assert } from 'node:assert';
import { ask } from '../../../support/asking';
import { bench, type Bench } from '../../../support/services';
import type { CollectionStart } from '../../../../../src/tools/trace/collect/collections';
import type { Hit } from '../../../../../src/tools/trace/collect/collector';
import type { Probe } from '../../../../../src/tools/trace/collect/probes';
import { comparedWith } from '../../../../../src/tools/live/writer/hitOrigin';

const PROBE: Probe = {
  ...{ id: 1, path: '/shop/app.js', line: 3, expressions: ['total'] },
  ...{ condition: undefined, expect: undefined },
};

const hit = (number: number, more: Partial<Hit> = {}): Hit => ({
  ...{ probe: 1, number, thread: 'main', process: 7, caller: undefined, values: ['70'] },
  ...{ claim: undefined, stack: undefined },
  ...more,
});

function startOf(type: string): CollectionStart {
  const configuration = { type, request: 'launch', name: 'app' };
  const launch = { name: 'app', type, folderPath: undefined, configuration };
  const plan = {
    ...{ name: 'app', folderPath: undefined, launches: [launch], isCompound: false },
    ...{ task: undefined, stopAll: false, shown: undefined, isMadeUp: true, overridden: [] },
  };
  return { plan, type };
}

/** Asks about a hit. Nothing may be started. */
async function refusal(on: Bench, input: object): Promise<string> {
  const { code, hint } = await ask(on, 'find_writer', { expression: 'total', ...input });
  assert.equal(on.host.started.length, 0);
  return `${String(code)}: ${String(hint)}`;
}

describe('find_writer at a hit of a collection', () => {
  it('names the collections that there are', async () => {
    const on = bench();
    on.services.collections.add([PROBE], [hit(1)], false);
    const told = await refusal(on, { collection_id: 'c9', hit: 1 });
    assert.match(told, /^invalid_input: .*c1.*Nothing was started/);
  });

  it('asks for the probe, if there are several, and for a hit that it has', async () => {
    const on = bench();
    on.services.collections.add([PROBE, { ...PROBE, id: 2 }], [hit(1), hit(2)], false);
    const asked = { collection_id: 'c1', hit: 1 };
    assert.match(await refusal(on, asked), /^invalid_input: Pass probe: 1 to 2/);
    assert.match(await refusal(on, { ...asked, probe: 2 }), /^invalid_input: Pass another probe/);
    const late = { ...asked, probe: 1, hit: 3 };
    assert.match(await refusal(on, late), /^invalid_input: Pass hit: 1 to 2/);
  });

  it('starts nothing that would be another run', async () => {
    const on = bench();
    on.services.collections.add([PROBE], [hit(1)], false);
    const asked = { collection_id: 'c1', hit: 1 };
    assert.match(
      await refusal(on, asked),
      /^not_supported: .*a test or a running program.*Nothing was started/,
    );
    const start = startOf('pwa-node');
    on.services.collections.add([PROBE], [hit(1), hit(2, { process: 8 })], false, start);
    assert.match(
      await refusal(on, { ...asked, collection_id: 'c2' }),
      /^not_supported: Stop where/,
    );
    on.services.collections.add([PROBE], [hit(1)], false, startOf('lldb-dap'));
    const native = await refusal(on, { ...asked, collection_id: 'c3' });
    assert.match(native, /^not_supported: .*set_data_breakpoint/);
  });

  it('takes one moment only', async () => {
    const on = bench();
    on.services.collections.add([PROBE], [hit(1)], false, startOf('pwa-node'));
    const asked = { collection_id: 'c1', hit: 1 };
    assert.match(await refusal(on, { ...asked, of: 'w1' }), /^invalid_input: Pass of, or/);
    assert.match(await refusal(on, { ...asked, frame_id: 3 }), /^invalid_input: Pass of or/);
  });
});

describe('a further run to a hit of a collection', () => {
  const compared = (first: string, again: string) =>
    comparedWith(PROBE, { values: [first] }, { values: [again] });

  it('differs by the first value that is another one', () => {
    const differs = { what: 'total', first: '70', again: '71' };
    assert.deepEqual(compared('70', '71'), { differs });
    assert.deepEqual(compared('70', '70'), {});
  });

  it('may be another moment, if no value was compared as a whole', () => {
    const part = compared('[1, 2, …]', '[1, 2, 3, 4]');
    assert.equal(part.differs, undefined);
    assert.match(part.gaps?.[0] ?? '', /another moment/);
    assert.equal(comparedWith(PROBE, { values: ['70'] }, undefined).gaps?.length, 1);
    assert.equal(comparedWith({ expressions: [] }, { values: [] }, { values: [] }).gaps?.length, 1);
  });
});
