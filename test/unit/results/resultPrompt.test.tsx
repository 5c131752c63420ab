import { strict as assert } from 'node:assert';
import type { JSONTree } from '@vscode/prompt-tsx';
import {
  OutputMode,
  PromptElement,
  renderPrompt,
  UserMessage,
  type BasePromptElementProps,
  type ITokenizer,
  type PromptPiece,
} from '@vscode/prompt-tsx';
import fc from 'fast-check';
import { fields, isFields, type Fields } from '../../../src/debugger/protocol';
import { renderResult } from '../../../src/results/resultPrompt';
import { sectionsOf } from '../../../src/results/sections';

/** Four characters are a token; enough to see what is left out. */
const count = (text: string): number => Math.ceil(text.length / 4);
const tokenizer: ITokenizer<OutputMode.Raw> = {
  mode: OutputMode.Raw,
  tokenLength: (part) => ('text' in part ? count(part.text) : 1),
  countMessageTokens: (message) => count(JSON.stringify(message)),
};

interface Props extends BasePromptElementProps {
  readonly data: JSONTree.PromptElementJSON;
}

/** A chat's prompt that holds the result of a tool, as Copilot's does. */
class Prompt extends PromptElement<Props> {
  override render(): PromptPiece {
    return (
      <UserMessage>
        <elementJSON data={this.props.data} />
      </UserMessage>
    );
  }
}

/** The text that a model receives. */
async function received(result: Fields, tokens: number): Promise<string> {
  const data = await renderResult(result, {
    tokenBudget: tokens,
    countTokens: (text) => Promise.resolve(count(text)),
  });
  const { messages } = await renderPrompt(
    Prompt,
    { data: JSON.parse(JSON.stringify(data)) as JSONTree.PromptElementJSON },
    { modelMaxPromptTokens: tokens },
    tokenizer,
  );
  const [message] = messages;
  return (message?.content ?? []).map((part) => ('text' in part ? part.text : '')).join('');
}

const STOP = {
  status: 'stopped',
  stop_event_data: {
    reason: 'exception',
    source: { path: '/a/main.js', name: 'main.js' },
    line: 3,
    exception: { type: 'Error', message: 'broken' },
    changed: [{ name: 'x', before: '1', now: '2' }],
    top_frame_variables: {
      scope_name: 'Local',
      variables: Array.from({ length: 20 }, (_, index) => ({
        name: `v${index}`,
        value: 'y'.repeat(50),
        type: null,
        variables_reference: 0,
      })),
    },
    call_stack: Array.from({ length: 20 }, (_, index) => ({
      frame_id: index + 1,
      function_name: `f${index}`,
    })),
    hit_breakpoint_ids: null,
    output: ['printed '.repeat(20)],
  },
  path: [{ line: 1 }],
};

describe('a result as a prompt', () => {
  it('is the whole result where there is room', async () => {
    assert.deepEqual(JSON.parse(await received(STOP, 10_000)), STOP);
  });

  it('loses the far frames first, then the output, the near frames, the locals; never what happened and where', async () => {
    const order = ['far', 'output', 'near', 'locals', 'changed', 'exception'] as const;
    let gone = 0;
    const least = sectionsOf(STOP).reduce(
      (sum, index) => sum + (index.priority === undefined ? count(index.text) : 0),
      60,
    );
    for (let tokens = 900; tokens >= least; tokens -= 10) {
      const left = fields(JSON.parse(await received(STOP, tokens)));
      const stop = fields(left['stop_event_data']);
      assert.deepEqual([left['status'], stop['reason'], stop['line']], ['stopped', 'exception', 3]);
      const length = (of: unknown): number => (Array.isArray(of) ? of.length : 0);
      const has = {
        far: length(stop['call_stack']) > 5,
        output: length(stop['output']) > 0,
        near: length(stop['call_stack']) > 1,
        locals: length(fields(stop['top_frame_variables'])['variables']) > 0,
        changed: length(stop['changed']) > 0,
        exception: stop['exception'] !== undefined,
      };
      const missing = order.map((name) => !has[name]);
      assert.deepEqual(
        missing,
        [...missing].sort((one, other) => Number(other) - Number(one)),
        `at ${tokens} tokens: ${JSON.stringify(has)}`,
      );
      gone = Math.max(gone, missing.filter(Boolean).length);
    }
    assert.ok(gone >= 4, `only ${gone} of them went`);
  });

  it('of any result: the parts are its JSON, and without any of the parts that may go it is still JSON', () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    const key = fc.constantFrom(
      'status',
      'message',
      'stop_event_data',
      'call_stack',
      'top_frame_variables',
      'variables',
      'output',
      'path',
      'exception',
      'changed',
      'lines',
      'configuration',
      'x"y',
    );
    fc.assert(
      fc.property(
        fc.dictionary(key, fc.oneof(value, fc.dictionary(key, value))),
        fc.array(fc.boolean(), { minLength: 1, maxLength: 20 }),
        (result, choices: readonly boolean[]) => {
          const plain: unknown = JSON.parse(JSON.stringify(result));
          assert.ok(isFields(plain));
          const sections = sectionsOf(plain);
          const whole: unknown = JSON.parse(sections.map((section) => section.text).join(''));
          if (
            !isFields(plain['top_frame_variables']) &&
            !isFields(fields(plain['stop_event_data'])['top_frame_variables'])
          )
            assert.deepEqual(whole, plain);
          const left = sections.filter(
            ({ priority }, index) => priority === undefined || choices[index % choices.length],
          );
          assert.doesNotThrow(() => void JSON.parse(left.map((section) => section.text).join('')));
        },
      ),
      { numRuns: 2000 },
    );
  });
});
