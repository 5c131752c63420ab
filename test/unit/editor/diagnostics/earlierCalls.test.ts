import { strict as assert } from 'node:assert';
import { mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CallRecords, type CallRecord } from '../../../../src/diagnostics/calls';
import { EarlierCalls } from '../../../../src/editor/diagnostics/earlierCalls';

const NOON = new Date(2026, 10, 29, 12).getTime();
const DAY_MS = 86_400_000;

function recordOf(at: number, tool = 'get_variables'): CallRecord {
  const call = { tool, title: 'Get Variables', caller: 'Cline', input: { name: 'a' } };
  const ended = { status: 'success', characters: 9, milliseconds: 0, result: {}, wasAsked: false };
  return new CallRecords(undefined, () => at).ended({ ...call, ...ended });
}

describe('the calls of earlier days', () => {
  let folder: string;
  beforeEach(() => (folder = path.join(mkdtempSync(path.join(tmpdir(), 'calls-')), 'calls')));
  afterEach(() => rmSync(path.dirname(folder), { recursive: true }));

  const earlierAt = (now: number, input = 'redacted'): EarlierCalls =>
    new EarlierCalls(
      folder,
      () => Promise.resolve(input),
      () => now,
    );

  it('are kept by day, with redacted inputs, and read by another window', async () => {
    const earlier = earlierAt(NOON);
    earlier.add(recordOf(NOON - DAY_MS));
    earlier.add(recordOf(NOON, 'set_variable'));
    await earlier.days();
    const other = earlierAt(NOON);
    assert.deepEqual(
      (await other.days()).map(({ day }) => day),
      ['2026-11-29', '2026-11-28'],
    );
    const text = await other.read('2026-11-29');
    assert.match(text, /^12:00:00\.000 {2}- {2}set_variable {2}success .*Cline {2}redacted\n$/);
    assert.equal((await other.read('2026-11-28')).includes('get_variables'), true);
    assert.equal(await other.read('2026-11-01'), '');
    if (process.platform !== 'win32')
      assert.equal(statSync(path.join(folder, 'calls-2026-11-29.log')).mode & 0o777, 0o600);
  });

  it('are deleted after a week, or on request, and no other files are', async () => {
    const first = earlierAt(NOON - 7 * DAY_MS);
    first.add(recordOf(NOON - 7 * DAY_MS));
    first.add(recordOf(NOON - 6 * DAY_MS));
    assert.equal((await first.days()).length, 2);
    writeFileSync(path.join(folder, 'notes.log'), 'mine');
    const later = earlierAt(NOON);
    assert.deepEqual(
      (await later.days()).map(({ day }) => day),
      ['2026-11-23'],
    );
    assert.deepEqual(readdirSync(folder).sort(), ['calls-2026-11-23.log', 'notes.log']);
    await later.clear();
    assert.deepEqual(readdirSync(folder), ['notes.log']);
  });

  it('are not read through links, nor outside of the folder', async () => {
    const earlier = earlierAt(NOON);
    earlier.add(recordOf(NOON));
    await earlier.days();
    symlinkSync('/etc/hostname', path.join(folder, 'calls-2026-11-28.log'));
    assert.deepEqual(
      (await earlier.days()).map(({ day }) => day),
      ['2026-11-29'],
    );
    writeFileSync(path.join(path.dirname(folder), 'calls-x.log'), 'outside');
    assert.equal(await earlier.read('../calls-x'), '');
  });

  it('do not grow without a limit, and a failure ends them quietly', async () => {
    const earlier = earlierAt(NOON, 'x'.repeat(2_000_000));
    for (let call = 0; call < 4; call += 1) earlier.add(recordOf(NOON));
    const [day] = await earlier.days();
    assert.ok(
      day !== undefined && day.bytes > 3_900_000 && day.bytes < 5_000_000,
      day?.bytes.toString(),
    );
    const failing = new EarlierCalls(folder, () => Promise.reject(new Error('no pattern')));
    failing.add(recordOf(NOON));
    failing.add(recordOf(NOON));
    assert.equal((await failing.days()).length, 1);
  });
});
