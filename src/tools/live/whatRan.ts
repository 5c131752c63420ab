import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { nameOf } from '../../testing/chooseTest';
import { planCounted, runCounted } from '../../testing/lines/runLines';
import { testInput, type TestPlan } from '../../testing/planTest';
import { defineTool } from '../defineTool';
import { absolute } from '../files/files';
import { launchItems } from '../launch/launchQuestion';
import { checkTypes } from '../launch/planChecks';
import { oneLine, plain } from '../question';
import { maxChars, resultSchema } from '../schemas';
import type { ToolServices } from '../services';
import { ranReport, type OfTest } from './ran/ranReport';

const MAX_SECONDS = 300;

const input = testInput.extend({
  compare_with: z
    .string()
    .min(1)
    .max(2000)
    .optional()
    .describe('Another test of the file, such as one that passes.'),
  source: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe('File or folder that is reported. Default: all own files.'),
  max_seconds: z.number().min(1).max(MAX_SECONDS).default(60).describe('For each run.'),
  max_chars: maxChars,
});

type Input = z.output<typeof input>;

const difference = z.object({ at: z.string(), code_line: z.string() });

export const whatRan = defineTool({
  name: 'what_ran',
  set: 'live',
  effect: 'control',
  title: 'What Ran',
  userDescription: 'Says which lines a test runs, and what only one of two tests runs',
  modelDescription:
    'Runs a test (pytest, unittest, mocha, node:test) without the debugger and says which lines ran how often. With compare_with, also what only one of the two ran, shortest first: the lines that a failing test ran and a passing one did not. unit block (Node): entries of blocks; if an exception left a block, its later lines may not have run.',
  icon: 'list-tree',
  input,
  output: resultSchema(['success'], {
    test: z.string().optional(),
    outcome: z.string().optional(),
    compared_with: z.object({ test: z.string(), outcome: z.string().optional() }).optional(),
    unit: z.enum(['line', 'block']).optional(),
    files: z
      .array(z.object({ file: z.string(), ran: z.string(), not_run: z.string().optional() }))
      .readonly()
      .optional(),
    only_here: z.array(difference).readonly().optional(),
    only_there: z.array(difference).readonly().optional(),
    more: z.int().optional(),
    notes: z.array(z.string()).readonly().optional(),
  }),
  needs: 'nothing',
  doing: ({ test_name: name, file_path: file }) =>
    l10n.t('Counting the lines that {0} runs', oneLine(name ?? path.basename(file))),
  question: async ({ input: request, services }) => {
    const plans = await plansOf(services, request);
    const items: string[] = [];
    for (const plan of plans)
      if (plan !== undefined) items.push(...(await itemsOf(services, plan)));
    const lines = [
      ...items,
      l10n.t('Breakpoints do not stop this run'),
      l10n.t('Counts the lines that run, which makes it slower'),
      l10n.t('A reporter in a private temporary folder records the result of the test'),
      l10n.t('At most {0} seconds; then the program is ended', request.max_seconds),
    ];
    return {
      title: l10n.t('What ran'),
      message: [
        l10n.t('Say which lines run'),
        ...[...new Set(lines)].map((line) => `- ${line}`),
      ].join('\n'),
    };
  },
  run: async ({ input: request, services, call }) => {
    const plans = await plansOf(services, request);
    const source =
      request.source === undefined ? undefined : await absolute(services, request.source);
    const counted = async (plan: TestPlan): Promise<OfTest> => ({
      plan,
      run: await runCounted(services, call, plan, request.max_seconds),
    });
    const [first, second] = plans;
    const one = await counted(first);
    const other = second === undefined ? undefined : await counted(second);
    return await ranReport(services, one, other, source);
  },
});

async function plansOf(
  services: ToolServices,
  request: Input,
): Promise<readonly [TestPlan, TestPlan?]> {
  const { compare_with: other, line: _line, ...shared } = request;
  const first = await planCounted(services, request);
  checkTypes(services, first.start);
  if (other === undefined) return [first];
  const second = await planCounted(services, { ...shared, test_name: other });
  checkTypes(services, second.start);
  return [first, second];
}

async function itemsOf(services: ToolServices, plan: TestPlan): Promise<readonly string[]> {
  return [
    l10n.t(
      'Run the test {0} of {1} with {2}, once and without the debugger',
      `**${plain(nameOf(plan.test))}**`,
      `*${plain(path.basename(plan.file))}*`,
      plain(plan.framework.title),
    ),
    ...(await launchItems(services, plan.start)),
  ];
}
