import { strict as assert } from 'node:assert';
import { marked } from 'marked';
import { makeTranscript } from '../../../src/diagnostics/report';
import { call, SECRETS, sources, stopResult, type Sources } from './support';

describe('the transcript', () => {
  const written = async ({ calls, redaction }: Sources, caller?: string): Promise<string> =>
    await makeTranscript(calls, redaction, 'Agent Debugger 1', new Date(0), caller);

  it('has each call with its place, input, values, output and answer', async () => {
    const on = sources();
    on.calls.ended(call({ wasAsked: true }));
    const text = await written(on);
    assert.match(text, /^# What the agent did\n\nAgent Debugger 1, 1970-01-01T00:00:00.000Z\n/);
    assert.match(text, /\n## 1\. Step: main\.js:3\n/);
    assert.match(text, / · VS Code · `step_execution` · stopped · approved · 35 ms\n/);
    assert.match(text, /\n```json\n\{"step_type":"over"\}\n```\n/);
    assert.match(text, /\n\| `total` \| `0` \| `1` \|\n\| `fresh` \| {2}\| `2` \|\n/);
    assert.match(text, /\nOutput:\n\n```\nhello\n```\n/);
  });

  it('covers one agent if requested', async () => {
    const on = sources();
    on.calls.ended(call({ caller: 'one' }));
    on.calls.ended(call({ caller: 'other' }));
    const text = await written(on, 'one');
    assert.match(text, /Calls: 1\. Made by: one\./);
    assert.ok(!text.includes('other'));
  });

  it('renders text from programs and agents only as plain text or code', async () => {
    const on = sources();
    const hostile = '```\n# Heading\n[link](https://evil.example) <img src=x> | `` ` **bold**';
    on.calls.ended(
      call({
        title: 'Step',
        caller: hostile,
        input: { text: hostile },
        result: {
          ...stopResult({
            reason: hostile,
            changed: [
              { name: hostile, before: hostile, now: hostile },
              { name: 'x', before: '\\| y', now: '\\\\| z | `w' },
            ],
            output: [hostile],
          }),
          ...{ message: hostile, result: hostile },
        },
      }),
    );
    const text = await written(on);
    const kinds = new Set<string>();
    const headings: string[] = [];
    void marked.walkTokens(marked.lexer(text), (token) => {
      kinds.add(token.type);
      if (token.type === 'heading') headings.push(String((token as { text?: unknown }).text));
    });
    const [table] = marked.lexer(text).filter((token) => token.type === 'table');
    const rows = (table as { rows?: unknown[][] } | undefined)?.rows ?? [];
    assert.deepEqual(
      rows.map((row) => row.length),
      [3, 3],
    );
    for (const kind of ['link', 'image', 'html', 'strong', 'em']) assert.ok(!kinds.has(kind), kind);
    assert.deepEqual(headings, ['What the agent did', '1. Step: main.js:3']);
  });

  it('shows no credentials, even if results contain them', async () => {
    const on = sources();
    on.calls.ended(
      call({
        input: { expression: `connect('postgres://app:${SECRETS.address}@db')` },
        result: {
          ...stopResult({
            changed: [{ name: 'password', before: SECRETS.password, now: SECRETS.password }],
            output: [`API_KEY=${SECRETS.output}`, `Authorization: Bearer ${SECRETS.bearer}`],
          }),
          ...{ message: SECRETS.github },
        },
      }),
    );
    const text = await written(on);
    for (const [kind, secret] of Object.entries(SECRETS)) assert.ok(!text.includes(secret), kind);
    assert.match(text, /`password` \| `\[removed\]` \| `\[removed\]`/);
  });
});
