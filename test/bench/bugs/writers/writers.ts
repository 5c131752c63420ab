import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fields, listOf, textOf } from '../../../../src/debugger/protocol';
import { cleanUp, inWorkspace, marked, switchLive } from '../../../host/support/client';
import { toolPath } from '../../../support/toolchain';
import { answerText, progress, WANTED } from '../../calling';
import { timed } from '../../measuring';
import type { Report } from '../../report';
import { Cost } from '../findings';
import { told } from '../toolStepper';
import { PLANTED_WRITES, type PlantedWrite } from './plantedWrites';

/** What `find_writer` may have answered: the right line, candidates, no line, or another line. */
type Kind = 'seen' | 'agreed' | 'ambiguous' | 'none' | 'wrong';

interface FoundWrite extends PlantedWrite {
  readonly kind: Kind;
  /** Whether the right line is the answer, or among the candidates. */
  readonly isNamed: boolean;
  readonly tokens: number;
  readonly seconds: number;
  readonly plain: number;
}

/** The most answers that are not `seen` or `agreed`: 4 of 24. */
const MOST_UNSURE = 1 / 6;

const MOST_TOKENS = 400;

/** Asks who wrote a wrong value, once in each program. */
export async function writers(report: Report): Promise<void> {
  report.part('writers');
  const found: FoundWrite[] = [];
  const failures: string[] = [];
  await switchLive(true);
  try {
    for (const planted of chosen()) {
      progress(`${planted.language}: ${planted.title}`);
      try {
        found.push(await findWrite(planted));
      } catch (error) {
        failures.push(`${planted.file}: ${String(error)}`);
      } finally {
        await cleanUp();
      }
    }
  } finally {
    await switchLive(false);
  }
  tables(report, found);
  if (failures.length > 0) throw new Error(failures.join('\n\n'));
}

/** The programs that are selected by the languages of the command line, or by name. */
function chosen(): readonly PlantedWrite[] {
  const names = (process.env['AGENT_DEBUGGER_BENCH_BUGS'] ?? '').split(/[ ,]+/).filter(Boolean);
  const languages = PLANTED_WRITES.filter(({ language }) =>
    WANTED.includes(language.toLowerCase()),
  );
  return (languages.length > 0 ? languages : PLANTED_WRITES).filter(
    ({ file }) => names.length === 0 || names.some((each) => file.includes(each)),
  );
}

async function findWrite(planted: PlantedWrite): Promise<FoundWrite> {
  const { file, expression } = planted;
  const cost = new Cost();
  const program = inWorkspace(file);
  await told(new Cost(), 'set_breakpoint', {
    file_path: program,
    line_number: marked(file, 'wrong'),
  });
  await told(new Cost(), 'start_debugging', { program, timeout_seconds: 120 });
  const input = { expression, max_seconds: 120 };
  let answer = '';
  const milliseconds = await timed(async () => {
    answer = await answerText('find_writer', input);
  });
  cost.note({ name: 'find_writer', input }, answer);
  keepTranscript(planted, cost);
  const result = fields(JSON.parse(answer));
  if (result['status'] !== 'success') throw new Error(answer);
  const line = `:${marked(file, 'writes')}`;
  const sure = textOf(result['sure']);
  const at = textOf(result['at']) ?? '';
  const candidates = listOf(result['candidates']).map((each) => textOf(fields(each)['at']) ?? '');
  return {
    ...planted,
    kind: kindOf(sure, at.endsWith(line)),
    isNamed: [at, ...candidates].some((each) => each.endsWith(line)),
    tokens: cost.tokens,
    seconds: milliseconds / 1000,
    plain: plainSeconds(planted),
  };
}

function kindOf(sure: string | undefined, isRight: boolean): Kind {
  if (sure === 'seen' || sure === 'agreed') return isRight ? sure : 'wrong';
  return sure === 'none' ? 'none' : 'ambiguous';
}

/** How long the program takes without a debugger. */
function plainSeconds({ language, file }: PlantedWrite): number {
  const started = performance.now();
  const { status } = spawnSync(language === 'Node' ? 'node' : toolPath('python'), [
    inWorkspace(file),
  ]);
  if (status !== 0) throw new Error(`${file} ends with ${status}`);
  return (performance.now() - started) / 1000;
}

/** Writes what was asked and answered to a file, to show what the figures are based on. */
function keepTranscript({ file }: PlantedWrite, { transcript }: Cost): void {
  const folder = process.env['AGENT_DEBUGGER_BENCH_TRANSCRIPTS'];
  if (folder === undefined) return;
  const name = `${path.basename(file)}.writer.txt`;
  writeFileSync(path.join(folder, name), `${transcript.join('\n')}\n`);
}

function tables(report: Report, found: readonly FoundWrite[]): void {
  report.text(
    'The answer of one `find_writer` at the wrong value, whether it names the line that wrote it, tokens (o200k, of what was asked and answered), and seconds beside the plain run of the program.',
  );
  report.table(
    ['program', 'answer', 'names the line', 'tokens', 'seconds', 'plain'],
    found.map(({ language, title, kind, isNamed, tokens, seconds, plain }) => [
      `${language}: ${title}`,
      kind,
      isNamed ? 'yes' : 'no',
      ...[tokens, seconds, plain],
    ]),
  );
  report.text('Over all.');
  const count = (...kinds: readonly Kind[]): number =>
    found.filter(({ kind }) => kinds.includes(kind)).length;
  const most = (values: readonly number[]): number => Math.max(0, ...values);
  const unsure = (found.length - count('seen', 'agreed')) / Math.max(1, found.length);
  const tokens = most(found.map((each) => each.tokens));
  report.table(
    ['', 'count', 'aim'],
    [
      ['seen', count('seen'), ''],
      ['agreed', count('agreed'), ''],
      ['ambiguous', count('ambiguous'), ''],
      ['none', count('none'), ''],
      ['wrong', count('wrong'), report.aim('writers, wrong', count('wrong'), { most: 0 })],
      ['part unsure', unsure, report.aim('writers, unsure', unsure, { most: MOST_UNSURE })],
      ['most tokens', tokens, report.aim('writers, tokens', tokens, { most: MOST_TOKENS })],
    ],
  );
}
