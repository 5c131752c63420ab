import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { createScanner, parse, SyntaxKind } from 'jsonc-parser';
import type { ClientEntry } from '../../../../src/mcp/clients/client';
import type { EntryPlace } from '../../../../src/mcp/clients/entryFormat';
import { jsonFormat } from '../../../../src/mcp/clients/jsonEntry';
import { UnusableSettings } from '../../../../src/mcp/clients/entryFormat';

const read = (text: string, place: EntryPlace): unknown => jsonFormat.read(text, place);
const set = (text: string, place: EntryPlace, entry: ClientEntry): string =>
  jsonFormat.set(text, place, entry);
const remove = (text: string, place: EntryPlace): string | undefined =>
  jsonFormat.remove(text, place);
const others = (text: string, place: EntryPlace): object => jsonFormat.others(text, place);
const PLACE = { container: 'mcpServers', name: 'agent-debugger' };
const ENTRY = { url: 'http://127.0.0.1:1/mcp', headers: { Authorization: 'Bearer k' } };

function comments(text: string): string[] {
  const scanner = createScanner(text);
  const found: string[] = [];
  for (let kind = scanner.scan(); kind !== SyntaxKind.EOF; kind = scanner.scan())
    if (kind === SyntaxKind.LineCommentTrivia || kind === SyntaxKind.BlockCommentTrivia)
      found.push(
        text.slice(scanner.getTokenOffset(), scanner.getTokenOffset() + scanner.getTokenLength()),
      );
  return found;
}

describe('our entry in JSON', () => {
  it('is inserted into the person’s layout, and removed again', () => {
    const before =
      '{\n\t// mine\n\t"mcpServers": {\n\t\t"other": { "command": "x" }, // keep\n\t\t/* and this */\n\t},\n\t"theme": "dark"\n}\n';
    const after = set(before, PLACE, { url: 'u' });
    assert.equal(
      after,
      '{\n\t// mine\n\t"mcpServers": {\n\t\t"other": { "command": "x" }, // keep\n\t\t"agent-debugger": {\n\t\t\t"url": "u"\n\t\t},\n\t\t/* and this */\n\t},\n\t"theme": "dark"\n}\n',
    );
    assert.equal(remove(after, PLACE), before);
  });

  it('gets a comma before it if there was none, and none after it', () => {
    const before = '{\r\n  "mcpServers": {\r\n    "other": {} // last\r\n  }\r\n}';
    const after = set(before, PLACE, { url: 'u' });
    assert.equal(
      after,
      '{\r\n  "mcpServers": {\r\n    "other": {}, // last\r\n    "agent-debugger": {\r\n      "url": "u"\r\n    }\r\n  }\r\n}',
    );
    assert.equal(remove(after, PLACE), before);
  });

  it('creates the file content and the container that it needs', () => {
    assert.equal(
      set('', PLACE, { url: 'u' }),
      '{\n  "mcpServers": {\n    "agent-debugger": {\n      "url": "u"\n    }\n  }\n}\n',
    );
    assert.equal(
      set('', { ...PLACE, newFile: { $schema: 's' } }, { url: 'u' }).startsWith(
        '{\n  "$schema": "s",\n  "mcpServers"',
      ),
      true,
    );
    assert.equal(
      set('{}', PLACE, { url: 'u' }),
      '{\n  "mcpServers": {\n    "agent-debugger": {\n      "url": "u"\n    }\n  }\n}',
    );
    assert.equal(
      set('// only a remark', PLACE, { url: 'u' }).startsWith('// only a remark\n{\n'),
      true,
    );
    assert.equal(
      set('{"mcpServers":{"a":{}}}', PLACE, { url: 'u' }),
      '{"mcpServers":{"a":{},"agent-debugger":{"url":"u"}}}',
    );
    assert.equal(
      set('{"mcpServers":{"a":{},}}', PLACE, { url: 'u' }),
      '{"mcpServers":{"a":{},"agent-debugger":{"url":"u"},}}',
    );
    assert.equal(
      set('{"mcpServers":{ /* none */ }}', PLACE, { url: 'u' }).includes('/* none */'),
      true,
    );
  });

  it('keeps the person’s additions', () => {
    const before =
      '{ "mcpServers": { "agent-debugger": {\n  "command": "old", "args": [], // how it was reached\n  "disabled": true, // for now\n  "alwaysAllow": ["get_variables"]\n} } }';
    const after = set(before, PLACE, ENTRY);
    assert.deepEqual(read(after, PLACE), {
      disabled: true,
      alwaysAllow: ['get_variables'],
      ...ENTRY,
    });
    assert.deepEqual(comments(after), comments(before));
  });

  it('replaces an entry that is not an object', () => {
    assert.deepEqual(
      read(set('{"mcpServers":{"agent-debugger":null}}', PLACE, ENTRY), PLACE),
      ENTRY,
    );
  });

  it('is removed next to comments and neighbours on one line', () => {
    for (const [text, left] of [
      ['{"mcpServers":{"agent-debugger":{},"b":1}}', '{"mcpServers":{"b":1}}'],
      ['{"mcpServers":{"a":1,"agent-debugger":{}}}', '{"mcpServers":{"a":1}}'],
      ['{"mcpServers":{"agent-debugger":{}}}', '{"mcpServers":{}}'],
      [
        '{"mcpServers":{\n // a note\n "agent-debugger":{}, "b":1}}',
        '{"mcpServers":{\n // a note\n "b":1}}',
      ],
      [
        '{"mcpServers":{\n "a":1, // one\n "agent-debugger":{} }}',
        '{"mcpServers":{\n "a":1 // one\n  }}',
      ],
      [
        '{"mcpServers":{\n "a":1,\n "agent-debugger":{} /* x */ , // two\n "b":2}}',
        '{"mcpServers":{\n "a":1,\n /* x */  // two\n "b":2}}',
      ],
    ] as const) {
      const after = remove(text, PLACE);
      assert.equal(after, left);
      assert.deepEqual(parse(after), parse(left));
    }
    assert.equal(remove('{"mcpServers":{"a":1}}', PLACE), undefined);
    assert.equal(remove('', PLACE), undefined);
  });

  it('is not written if the file does not parse, and the position of the error is reported', () => {
    for (const [text, offset] of [
      ['{"mcpServers": {', 16],
      ['{"mcpServers": []}', 15],
      ['[]', 0],
      ['{"mcpServers":{},"mcpServers":{}}', 17],
      ['{"mcpServers":{"agent-debugger":{},"agent-debugger":{}}}', 35],
      ['{"a" 1}', 5],
    ] as const) {
      assert.throws(
        () => set(text, PLACE, ENTRY),
        (error) => error instanceof UnusableSettings && error.offset === offset,
        text,
      );
    }
  });

  // Documents with comments, trailing commas, unusual spacing and all kinds of line breaks.
  const blank = fc.constantFrom(
    '',
    '',
    ' ',
    '\n',
    '\r\n  ',
    '\t',
    ' /* b */ ',
    ' // l\n',
    '\n\n  // "x": {\n ',
  );
  const leaf = fc.oneof(
    fc.jsonValue({ maxDepth: 1 }).map((value) => JSON.stringify(value)),
    fc.constant('"// no comment"'),
  );
  const name = fc.constantFrom(
    'a',
    'b',
    'url',
    'mcpServer',
    'agent',
    'a "quoted" one',
    '__proto__',
  );
  const object = (value: fc.Arbitrary<string>, names: fc.Arbitrary<string>): fc.Arbitrary<string> =>
    fc
      .tuple(
        fc.uniqueArray(fc.tuple(names, value, blank, blank, blank, blank), {
          selector: ([key]) => key,
          maxLength: 4,
        }),
        fc.boolean(),
        blank,
      )
      .map(
        ([properties, hasTrailing, end]) =>
          `{${properties.map(([key, each, b1, b2, b3, b4], index) => `${b1}${JSON.stringify(key)}${b2}:${b3}${each}${b4}${index < properties.length - 1 || hasTrailing ? ',' : ''}`).join('')}${end}}`,
      );
  const documents = fc
    .tuple(
      blank,
      fc.uniqueArray(
        fc.tuple(
          fc.oneof(name, fc.constant('mcpServers')),
          fc.oneof(leaf, object(leaf, name)),
          object(object(leaf, name), fc.oneof(name, fc.constant('agent-debugger'))),
          blank,
          blank,
        ),
        { selector: ([key]) => key, maxLength: 4 },
      ),
      blank,
      fc.boolean(),
      blank,
    )
    .map(
      ([before, properties, end, hasTrailing, after]) =>
        `${before}{${properties.map(([key, value, servers, b1, b2], index) => `${b1}${JSON.stringify(key)}:${b2}${key === 'mcpServers' ? servers : value}${index < properties.length - 1 || hasTrailing ? ',' : ''}`).join('')}${end}}${after}`,
    );

  it('leaves everything else unchanged, in any document', () => {
    fc.assert(
      fc.property(documents, (before) => {
        const after = set(before, PLACE, ENTRY);
        assert.deepEqual(others(after, PLACE), others(before, PLACE));
        const entry = read(after, PLACE) as object;
        assert.deepEqual({ ...entry, ...ENTRY }, { ...entry });
        const isNew = read(before, PLACE) === undefined;
        if (isNew) assert.deepEqual(comments(after), comments(before));
        assert.equal(set(after, PLACE, ENTRY), after, 'a second time changes nothing');
        const without = remove(after, PLACE);
        assert.ok(without !== undefined);
        assert.deepEqual(others(without, PLACE), others(before, PLACE));
        assert.equal(read(without, PLACE), undefined);
        if (isNew) assert.deepEqual(comments(without), comments(before));
      }),
      { numRuns: 500 },
    );
  });

  it('leaves exactly the same bytes after it is set and removed next to other entries', () => {
    const servers = fc.tuple(
      fc.uniqueArray(fc.tuple(name, leaf), {
        selector: ([key]) => key,
        minLength: 1,
        maxLength: 3,
      }),
      fc.boolean(),
      fc.constantFrom('\n', '\r\n', '', ' '),
      fc.constantFrom('', ' // note', ' /* note */'),
    );
    fc.assert(
      fc.property(servers, ([entries, hasTrailing, eol, anyNote]) => {
        const note = !eol.includes('\n') && anyNote.startsWith(' //') ? '' : anyNote;
        const before = `{${eol}  "mcpServers": {${eol}${entries.map(([key, value], index) => `    ${JSON.stringify(key)}: ${value}${index < entries.length - 1 || hasTrailing ? ',' : ''}${note}${eol}`).join('')}  }${eol}}${eol}`;
        assert.equal(remove(set(before, PLACE, ENTRY), PLACE), before);
      }),
    );
  });
});
