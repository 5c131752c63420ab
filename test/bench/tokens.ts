import { writeFileSync } from 'node:fs';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import * as vscode from 'vscode';
import { cleanUp, marked } from '../host/support/client';
import { definitionsOf } from '../../src/mcp/server/toolDefinitions';
import { TOOLS } from '../../src/tools/catalog';
import { answerText, LANGUAGES, stopIn, stopInLarge, stopInWork, type Language } from './calling';
import type { Report } from './report';

/** The maximum numbers of tokens. */
const MOST = { step: 300, stopAmid: 2000, definitions: 4500, list: 7000 } as const;

/** The maximum number of steps until every local is set and the loop has run once. */
const STEPS_TO_LOOP = 20;

/** Measures the cost for an agent: characters and tokens (o200k) of answers and definitions. */
export async function tokens(report: Report): Promise<void> {
  report.part('tokens');
  const saved: Record<string, unknown> = {};
  const rows = [];
  for (const language of LANGUAGES) rows.push(...(await answers(report, language, saved)));
  report.text('What an agent reads: characters of JSON and tokens (o200k) of an answer.');
  report.table(['answer', 'characters', 'tokens', 'aim'], rows);
  definitions(report);
  const file = process.env['AGENT_DEBUGGER_BENCH_ANSWERS'];
  if (file !== undefined) writeFileSync(file, `${JSON.stringify(saved, undefined, 1)}\n`);
}

type Row = readonly [what: string, characters: number, tokens: number, aim: string];

async function answers(
  report: Report,
  language: Language,
  saved: Record<string, unknown>,
): Promise<Row[]> {
  const rows: Row[] = [];
  const measure = (what: string, text: string, most?: number): void => {
    saved[`${language.name}: ${what}`] = JSON.parse(text);
    const count = countTokens(text);
    const title = `${language.name}: ${what}`;
    rows.push([
      title,
      text.length,
      count,
      most === undefined ? '' : report.aim(`${title}, tokens`, count, { most }),
    ]);
  };
  const { thread_id } = await stopInWork(language);
  const step = async (type: 'over' | 'into' | 'out'): Promise<string> =>
    await answerText('step_execution', { thread_id, step_type: type });
  await stepTo(language, 'call', thread_id);
  measure('a stop, ten locals, five frames', await answerText('wait_for_stop', {}));
  measure('a step, ten locals, five frames', await step('over'), MOST.step);
  await stepTo(language, 'call', thread_id);
  measure('a step into a function', await step('into'));
  measure('a step out of it', await step('out'), MOST.step);
  measure(
    'ten steps in one call',
    await answerText('step_execution', { thread_id, step_type: 'over', count: 10 }),
  );
  measure('get_debug_state', await answerText('get_debug_state', {}));
  measure('get_call_stack', await answerText('get_call_stack', {}));
  await cleanUp();

  const large = await stopInLarge(language, 'amid', 0);
  measure(
    'a stop amid large values, 2,000 frames',
    await answerText('wait_for_stop', {}),
    MOST.stopAmid,
  );
  measure(
    'a step amid large values, 2,000 frames',
    await answerText('step_execution', { thread_id: large.thread_id, step_type: 'over' }),
    MOST.stopAmid,
  );
  await cleanUp();
  return rows;
}

/** Steps at least once, until the next line is the marked one. */
async function stepTo(language: Language, marker: string, threadId: number): Promise<void> {
  const line = marked(language.work, marker);
  for (let steps = 0; steps < STEPS_TO_LOOP; steps += 1)
    if (
      stopIn(await answerText('step_execution', { thread_id: threadId, step_type: 'over' }))
        .line === line
    )
      return;
  throw new Error(`${language.name} never comes to ${marker}`);
}

/** Measures the parts of each tool that VS Code passes to a model: name, description, input schema. */
function definitions(report: Report): void {
  const names = new Set<string>(TOOLS.map((tool) => tool.name));
  const given = vscode.lm.tools
    .filter((tool) => names.has(tool.name))
    .map(({ name, description, inputSchema }) => ({ name, description, parameters: inputSchema }));
  if (given.length !== names.size)
    throw new Error(`VS Code gives ${given.length} tools of ${names.size}`);
  const texts = given.map((tool) => ({ name: tool.name, text: JSON.stringify(tool) }));
  const rows: Row[] = texts.map(({ name, text }) => [
    `\`${name}\``,
    text.length,
    countTokens(text),
    '',
  ]);
  const all = JSON.stringify(given);
  const count = countTokens(all);
  report.text('What VS Code gives a model of each tool: name, description, input schema.');
  report.table(
    ['definition', 'characters', 'tokens', 'aim'],
    [
      ...rows.sort((one, other) => other[2] - one[2]),
      [
        'all',
        all.length,
        count,
        report.aim('all definitions, tokens', count, { most: MOST.definitions }),
      ],
      listed(report),
    ],
  );
}

/** Measures the tool list that an MCP client receives, including titles, annotations and output schemas. */
function listed(report: Report): Row {
  const text = JSON.stringify({ tools: definitionsOf(TOOLS) });
  const count = countTokens(text);
  return [
    '`tools/list` over MCP',
    text.length,
    count,
    report.aim('tools/list, tokens', count, { most: MOST.list }),
  ];
}
