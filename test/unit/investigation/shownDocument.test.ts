import { strict as assert } from 'node:assert';
import { revealOf, shownDocument } from '../../../src/investigation/shownDocument';
import { kept, removeFolders, textFrom } from './support';

const FILE = 'logs/capture.ndjson';

describe('a document of an investigation', () => {
  afterEach(removeFolders);

  async function written(lines: number) {
    const { investigations } = kept();
    const { sid } = await investigations.start('x');
    const text = Array.from({ length: lines }, (_, index) => `line ${index + 1}\n`).join('');
    await investigations.writeText(sid, FILE, text);
    return { investigations, sid, text };
  }

  it('is shown in full, even if an MCP resource would be cut', async () => {
    const { investigations, sid, text } = await written(150_000);
    assert.ok(text.length > 1024 * 1024);
    const place = { sid, path: FILE };
    assert.equal(textFrom(await shownDocument(investigations, place)), text);
    assert.equal((await investigations.read(place)).isCut, true);
  });

  it('that is too large states that it is cut', async () => {
    const { investigations, sid, text } = await written(200);
    const shown = textFrom(await shownDocument(investigations, { sid, path: FILE }, 1000));
    assert.ok(shown.startsWith(text.slice(0, 1000)));
    assert.match(shown.slice(1000), /only the first/);
  });

  it('shows the requested lines, whatever its size', async () => {
    const { investigations, sid, text } = await written(5000);
    const expected = { from: 3999, to: 4001 };
    const lineAt = (shown: string, number: number): string => shown.split('\n')[number] ?? '';
    for (const most of [1_000_000, 20_000]) {
      const reveal = revealOf(text.length, expected, most);
      const place = { sid, path: FILE, ...(reveal.lines === undefined ? {} : reveal) };
      const shown = textFrom(await shownDocument(investigations, place, most));
      assert.deepEqual(
        [lineAt(shown, reveal.first), lineAt(shown, reveal.last)],
        ['line 4000', 'line 4002'],
      );
    }
    const early = revealOf(text.length, { from: 2, to: 2 }, 20_000);
    const place = { sid, path: FILE, lines: early.lines ?? { from: 0, to: 0 } };
    const shown = textFrom(await shownDocument(investigations, place, 20_000));
    assert.equal(lineAt(shown, early.first), 'line 3');
    assert.match(lineAt(shown, 0), /lines 1 to 503 of logs\/capture\.ndjson/);
  });

  it('that is a picture is returned unchanged', async () => {
    const { investigations } = kept();
    const { sid } = await investigations.start('x');
    const data = new Uint8Array([1, 2, 3, 4]);
    await investigations.writeBytes(sid, 'snapshots/a.png', data);
    const place = { sid, path: 'snapshots/a.png' };
    assert.deepEqual([...(await shownDocument(investigations, place, 2))], [1, 2]);
  });
});
