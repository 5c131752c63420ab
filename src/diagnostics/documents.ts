import * as l10n from '@vscode/l10n';
import type { CallRecord, CallRecords } from './calls';
import { NEWEST, shownOf, type Filter } from './filter';
import { callLogLine, headingLines, messageLine } from './logText';
import type { McpTraffic } from './mcpTraffic';
import type { MessageKind, MessageRecord } from './messages';
import type { ProtocolTrace } from './protocolTrace';
import type { Recording } from './recording';
import type { DiagnosticsRedaction } from './redaction';

/** A document that is updated when its records change. */
export interface FollowingDocument {
  readonly title: string;
  /** Whether the document can be filtered by kind. The contents of such records are recorded only on request. */
  readonly hasKinds: boolean;
  /** The sessions of its records, in the order of their first record. */
  sessions(): readonly string[];
  render(filter: Filter): Promise<string>;
  onDidChange(listener: () => void): { dispose(): void };
}

/** The data from which the documents are created. */
export interface DocumentSources {
  readonly calls: CallRecords;
  readonly trace: ProtocolTrace;
  readonly traffic: McpTraffic;
  readonly recording: Recording;
  readonly redaction: DiagnosticsRedaction;
  /** The short id of a debug session, by its key. */
  readonly idOf: (key: string) => string;
}

export type DocumentName = 'calls' | 'trace' | 'traffic';

/** The documents that are updated when their records change, by name. */
export function followingDocuments(
  sources: DocumentSources,
): Readonly<Record<DocumentName, FollowingDocument>> {
  return {
    calls: callDocument(sources),
    trace: traceDocument(sources),
    traffic: trafficDocument(sources),
  };
}

function callDocument({ calls, redaction }: DocumentSources): FollowingDocument {
  const sessionOf = (record: CallRecord): string => record.facts.session ?? '-';
  const title = l10n.t('Agent Debugger: Call Log');
  return {
    title,
    hasKinds: false,
    sessions: () => different(calls.records.map(sessionOf)),
    render: async (filter) => {
      const { records, older } = shownOf(calls.records, filter, sessionOf);
      const lines: string[] = [];
      for (const record of records) lines.push(callLogLine(record, await redaction.input(record)));
      return text(headingLines({ title, filter, older, dropped: calls.dropped }), lines);
    },
    onDidChange: (listener) => calls.onDidChange(listener),
  };
}

function traceDocument({ trace, recording, redaction, idOf }: DocumentSources): FollowingDocument {
  const title = l10n.t('Agent Debugger: Protocol Trace');
  const sessionOf = (record: MessageRecord): string => idOf(record.session);
  return {
    title,
    hasKinds: true,
    sessions: () => different(trace.sessions.map(idOf)),
    render: async (filter) => {
      const logs = trace.sessions.flatMap((key) => trace.of(key) ?? []);
      const all = logs.flatMap((log) => log.records).sort((one, other) => one.at - other.at);
      const { records, older } = shownOf(all, filter, sessionOf, kindOf);
      const dropped = logs.reduce((sum, log) => sum + log.dropped, 0);
      const lines = await messageLines(records, sessionOf, redaction);
      return text(
        headingLines({ title, filter, older, dropped, isRecording: recording.isOn }),
        lines,
      );
    },
    onDidChange: (listener) => both(trace.onDidChange(listener), recording.onDidChange(listener)),
  };
}

function trafficDocument({ traffic, recording, redaction }: DocumentSources): FollowingDocument {
  const title = l10n.t('Agent Debugger: MCP Traffic');
  const { log } = traffic;
  const sessionOf = (record: MessageRecord): string => record.session;
  return {
    title,
    hasKinds: true,
    sessions: () => different(log.records.map(sessionOf)),
    render: async (filter) => {
      const { records, older } = shownOf(log.records, filter, sessionOf, kindOf);
      const lines = await messageLines(records, sessionOf, redaction);
      return text(
        headingLines({ title, filter, older, dropped: log.dropped, isRecording: recording.isOn }),
        lines,
      );
    },
    onDidChange: (listener) => both(log.onDidChange(listener), recording.onDidChange(listener)),
  };
}

async function messageLines(
  records: readonly MessageRecord[],
  sessionOf: (record: MessageRecord) => string,
  redaction: DiagnosticsRedaction,
): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const record of records)
    lines.push(messageLine(record, sessionOf(record), await redaction.record(record)));
  return lines;
}

const kindOf = (record: MessageRecord): MessageKind => record.kind;

/** A filter that selects all records. */
export const EVERYTHING: Filter = { ...NEWEST, limit: Number.MAX_SAFE_INTEGER };

function text(heading: readonly string[], lines: readonly string[]): string {
  return `${[...heading, ...lines].join('\n')}\n`;
}

function different(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

function both(one: { dispose(): void }, other: { dispose(): void }): { dispose(): void } {
  return {
    dispose: () => {
      one.dispose();
      other.dispose();
    },
  };
}
