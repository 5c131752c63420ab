import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { call, cleanUp, marked, stopOf } from '../support/client';

/** The whole text of the JSON that `@vscode/prompt-tsx` made from a result, in the order of its parts. */
function textsIn(piece: unknown): string {
  if (Array.isArray(piece)) return piece.map(textsIn).join('');
  if (typeof piece !== 'object' || piece === null) return '';
  const { node, children, text } = piece as { node?: unknown; children?: unknown; text?: unknown };
  return (typeof text === 'string' ? text : '') + textsIn(node) + textsIn(children);
}

describe('a caller that counts tokens', () => {
  afterEach(cleanUp);

  const counted = async (
    name: string,
    input: object,
    tokenBudget: number,
  ): Promise<{ text: string; tokens: number }> => {
    const countTokens = (text: string): Thenable<number> =>
      Promise.resolve(Math.ceil(text.length / 3));
    const result = await vscode.lm.invokeTool(name, {
      input,
      toolInvocationToken: undefined,
      tokenizationOptions: { tokenBudget, countTokens: (text) => countTokens(text) },
    });
    const parts = result.content.filter(
      (each) => each instanceof vscode.LanguageModelPromptTsxPart,
    );
    assert.equal(parts.length, 1, 'a result is one prompt');
    const text = textsIn(parts[0]?.value);
    return { text, tokens: await countTokens(text) };
  };

  it('receives a prompt with the whole answer, or with the part that fits its tokens: valid JSON with the omitted count', async () => {
    await call('set_breakpoint', {
      file_path: 'src/loop.js',
      line_number: marked('src/loop.js', 'call'),
    });
    const stop = stopOf(await call('start_debugging', { configuration_name: 'Loop' }));
    const whole = await counted(
      'get_call_stack',
      { thread_id: stop.thread_id, levels: 20 },
      10_000,
    );
    const answer = JSON.parse(whole.text) as { status: string; call_stack: unknown[] };
    assert.equal(answer.status, 'success');
    assert.ok(answer.call_stack.length > 5, whole.text);
    const few = await counted(
      'get_call_stack',
      { thread_id: stop.thread_id, levels: 20 },
      Math.floor(whole.tokens / 3),
    );
    const part = JSON.parse(few.text) as {
      status: string;
      call_stack: unknown[];
      omitted: { frames: number; fetch_frames: string };
    };
    assert.ok(few.tokens <= whole.tokens / 3, `${few.tokens} of ${whole.tokens}`);
    assert.equal(part.call_stack.length + part.omitted.frames, answer.call_stack.length);
    assert.match(part.omitted.fetch_frames, /start_frame/);
  });
});
