import { endOf } from './buglens';
import { fenced, inlineCode, plainLine, timeText } from './markdown';
import { uriOf } from './paths';
import type { CaptureRecord, ChunkRecord, InvestigationRecord } from './record';
import type { Comparison } from './comparison';
import type { Reasoning } from './reasoning';

export const CLARIFY_FILE = 'analysis/clarify.md';
export const REASONING_FILE = 'analysis/reasoning.md';
export const SUMMARY_FILE = 'analysis/summary.md';

/** `analysis/clarify.md`: the choices and their notes. */
export function clarifyDocument(
  chunks: readonly ChunkRecord[],
  clarifications: InvestigationRecord['clarifications'],
): string {
  const sections = [...clarifications].reverse().flatMap(({ at, by, selectedIds, notes }) => {
    const chosen = selectedIds.map((id) => {
      const chunk = chunks.find((candidate) => candidate.id === id);
      return `- ${inlineCode(id)}${chunk === undefined ? '' : ` ${plainLine(chunk.title)}`}`;
    });
    return [
      '',
      `## ${timeText(Date.parse(at))} UTC, by the ${by}`,
      '',
      ...(chosen.length > 0 ? chosen : ['None of the chunks.']),
      ...(notes === undefined ? [] : ['', `> ${plainLine(notes, 4000)}`]),
    ];
  });
  return ['# What matters', ...sections, ''].join('\n');
}

/** `analysis/reasoning.md`: the conclusion of a model. */
export function reasoningDocument(
  reasoning: Reasoning,
  by: string,
  task: string,
  at: Date,
): string {
  const solutions = [...reasoning.solutions]
    .sort((one, other) => other.confidence - one.confidence)
    .flatMap(({ rationale, approach, confidence }, index) => [
      '',
      `## Solution ${index + 1}: confidence ${Math.round(confidence * 100)} %`,
      '',
      `**Why.** ${rationale}`,
      '',
      `**How.** ${approach}`,
    ]);
  return [
    '# Reasoning',
    '',
    `${plainLine(by)}, ${inlineCode(task)}, ${timeText(at.getTime())} UTC. A model wrote this: check it against the evidence.`,
    '',
    reasoning.analysis,
    ...solutions,
    '',
  ].join('\n');
}

/** The conclusion that the caller passes to `end_session`. */
export interface Conclusion {
  readonly conclusion?: string | undefined;
  readonly nextStep?: string | undefined;
}

/**
 * `analysis/summary.md`: the hook, the evidence with links, the conclusion, the next step, and the command that proves
 * it.
 */
export function summaryDocument(investigation: InvestigationRecord, given: Conclusion): string {
  const { title, hook, captures, verifications } = investigation;
  const [first] = investigation.analysis?.chunks ?? [];
  const proof = [...verifications]
    .reverse()
    .find((verification) => verification.verdict === 'fixed');
  const last = verifications.at(-1);
  // A run that proved nothing may be unrelated, so the captured one is named.
  const proven = captures.find((capture) => capture.id === (proof?.capture ?? last?.against));
  return [
    `# ${plainLine(title)}`,
    '',
    plainLine(hook ?? first?.title ?? 'Nothing was found in the captures.', 400),
    '',
    '## Evidence',
    '',
    ...evidenceLines(investigation),
    '',
    '## Conclusion',
    '',
    given.conclusion ?? conclusionOf(investigation),
    '',
    '## Next step',
    '',
    given.nextStep ?? nextStepOf(investigation),
    ...(proven === undefined ? [] : ['', '## How to prove it', '', ...proofLines(proven)]),
    '',
  ].join('\n');
}

function evidenceLines(investigation: InvestigationRecord): readonly string[] {
  const { sid, captures, analysis, verifications, evidence, clarifications, reasoning } =
    investigation;
  const link = (file: string, text: string): string =>
    `- [${plainLine(text, 120)}](../${file}) (${inlineCode(uriOf(sid, file))})`;
  const lines = [
    ...captures
      .filter((capture) => capture.kind === 'capture')
      .map((capture) =>
        link(capture.file, `${capture.what}: ${capture.errors} errors, ${endOf(capture)}`),
      ),
    ...(analysis === undefined ? [] : [link(analysis.file, 'What the capture shows')]),
    ...(analysis?.chunks ?? []).slice(0, 3).map(
      ({ id, title, refs }) =>
        `  - ${inlineCode(id)} ${plainLine(title, 120)}: ${refs
          .slice(0, 1)
          .map((ref) => inlineCode(ref))
          .join('')}`,
    ),
    ...(clarifications.length > 0 ? [link(CLARIFY_FILE, 'What matters, as chosen')] : []),
    ...(reasoning.length > 0 ? [link(REASONING_FILE, 'What a model concluded')] : []),
    ...evidence.map((entry) => link(entry.file, `${entry.tool}: ${entry.title}`)),
    ...verifications.map((verification) =>
      link(verification.file, `Verification ${verification.id}: ${verification.verdict}`),
    ),
  ];
  return lines.length > 0 ? lines : ['None.'];
}

function conclusionOf({ verifications, analysis }: InvestigationRecord): string {
  const last = verifications.at(-1);
  const [first] = analysis?.chunks ?? [];
  const cause = first === undefined ? '' : ` The first finding was: ${plainLine(first.title)}.`;
  switch (last?.verdict) {
    case 'fixed':
      return `The errors of the capture are gone in the last verification.${cause}`;
    case 'still_failing':
      return `The problem remains in the last verification.${cause}`;
    case 'changed':
      return `The errors of the capture are gone, and others are new.${cause}`;
    case 'inconclusive':
      return `The last verification proves nothing.${cause}`;
    case undefined:
      return `Nothing was verified.${cause}`;
  }
}

function nextStepOf({ verifications, captures }: InvestigationRecord): string {
  const last = verifications.at(-1);
  if (last?.verdict === 'fixed') return 'Keep the command below as a regression test.';
  if (last !== undefined) return 'Analyse the verification, and correct the fix.';
  return captures.length === 0
    ? 'Capture a run that shows the problem.'
    : 'Fix the cause, and verify it with the same run.';
}

function proofLines({ source, what, cwd }: CaptureRecord): readonly string[] {
  if (source !== 'command')
    return [`Run the ${source === 'page' ? 'page' : 'debug configuration'} ${inlineCode(what)}.`];
  return [fenced(cwd === undefined ? what : `cd ${quoted(cwd)}\n${what}`, 'sh')];
}

/** A path, quoted for a shell if necessary. */
function quoted(path: string): string {
  return /^[\w./:@%+,=\\-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** `analysis/verify-1.md`: the errors that no longer occur, that remain, and that are new. */
export function verifyDocument(
  record: CaptureRecord,
  against: CaptureRecord,
  comparison: Comparison,
): string {
  const list = (heading: string, samples: readonly string[]): readonly string[] =>
    samples.length === 0
      ? []
      : ['', `## ${heading}`, '', ...samples.map((sample) => `- ${inlineCode(sample)}`)];
  return [
    `# Verification: ${comparison.verdict.replace('_', ' ')}`,
    '',
    `${inlineCode(record.what)} ended ${endOf(record)}. Before: ${endOf(against)}.`,
    '',
    plainLine(comparison.reason, 400),
    ...list('Gone', comparison.gone),
    ...list('Remaining', comparison.remaining),
    ...list('New', comparison.appeared),
    '',
  ].join('\n');
}
