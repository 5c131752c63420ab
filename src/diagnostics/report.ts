import type { CallRecord, CallRecords } from './calls';
import { EVERYTHING, followingDocuments, type DocumentSources } from './documents';
import type { DiagnosticsRedaction } from './redaction';
import { withoutHome } from './redaction';
import type { BundleFile } from './reportBundle';
import { systemReport, type SystemFacts } from './systemReport';
import { transcript } from './transcript';

/** The transcript of all calls, or of the calls of one caller. */
export async function makeTranscript(
  calls: CallRecords,
  redaction: DiagnosticsRedaction,
  versions: string,
  at: Date,
  caller?: string,
): Promise<string> {
  const chosen = calls.records.filter((record) => caller === undefined || record.caller === caller);
  const shown: { readonly record: CallRecord; readonly input: string }[] = [];
  for (const record of chosen)
    shown.push({
      record: { ...record, facts: await redaction.facts(record.facts, record.subject) },
      input: await redaction.input(record),
    });
  return transcript({ calls: shown, dropped: calls.dropped, at, versions });
}

/** The system report, without credentials. */
export async function makeSystemReport(
  facts: SystemFacts,
  redaction: DiagnosticsRedaction,
  at: Date,
): Promise<string> {
  const settings = [];
  for (const setting of facts.settings)
    settings.push({ ...setting, value: await redaction.json(setting.value) });
  const environment = await redaction.lines(facts.environment);
  return systemReport({ ...facts, settings, environment }, at);
}

/** The data from which a report bundle is created. */
export interface ReportSources {
  readonly documents: DocumentSources;
  readonly facts: SystemFacts;
  readonly versions: string;
  readonly home: string;
  /** The newest CPU profile, redacted. */
  readonly profile?: { readonly name: string; readonly text: string } | undefined;
}

/** The number of latest calls whose complete results are in a bundle. */
const LAST_CALLS = 100;

/** The files of a report bundle: the documents, the latest calls, the transcript, the system report. */
export async function reportFiles(
  { documents, facts, versions, home, profile }: ReportSources,
  at: Date,
): Promise<readonly BundleFile[]> {
  const { calls, redaction } = documents;
  const following = followingDocuments(documents);
  const files: BundleFile[] = [
    { name: 'system.md', text: await makeSystemReport(facts, redaction, at) },
    { name: 'calls.log', text: await following.calls.render(EVERYTHING) },
    { name: 'last-calls.jsonl', text: await lastCalls(calls, redaction) },
    { name: 'transcript.md', text: await makeTranscript(calls, redaction, versions, at) },
    { name: 'mcp-traffic.log', text: await following.traffic.render(EVERYTHING) },
  ];
  for (const session of following.trace.sessions())
    files.push({
      name: `protocol-${session.replace(/[^\w-]/g, '_')}.log`,
      text: await following.trace.render({ ...EVERYTHING, sessions: [session] }),
    });
  if (profile !== undefined) files.push(profile);
  return files.map(({ name, text }) => ({ name, text: withoutHome(text, home) }));
}

/**
 * One line of JSON for each call. The line contains the result as text, because a long result was cut and is not valid
 * JSON.
 */
async function lastCalls(calls: CallRecords, redaction: DiagnosticsRedaction): Promise<string> {
  const lines: string[] = [];
  for (const record of calls.records.slice(-LAST_CALLS)) {
    const { at, tool, caller, approval, status, milliseconds } = record;
    lines.push(
      JSON.stringify({
        at: new Date(at).toISOString(),
        tool,
        caller,
        approval,
        status,
        milliseconds: Math.round(milliseconds),
        input: await redaction.input(record),
        result: await redaction.record(record),
      }),
    );
  }
  return `${lines.join('\n')}\n`;
}
