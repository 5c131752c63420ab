import { chunkRecord, record } from '../../../src/investigation/record';
import type { Bench } from './services';

/** The investigation that `withInvestigation` creates. */
export const INVESTIGATION_ID = '260301-abcd';

/** One valid input for each tool of the set `investigation`. */
export const INVESTIGATION_INPUTS: Readonly<Record<string, object>> = {
  start_session: { title: 'The board stays empty' },
  capture_run: { sid: INVESTIGATION_ID, command: 'npm test' },
  analyze_capture: { sid: INVESTIGATION_ID },
  clarify: { sid: INVESTIGATION_ID, answer: { selectedIds: [] } },
  reasoner_run: { sid: INVESTIGATION_ID, task: 'propose_patch' },
  verify_run: { sid: INVESTIGATION_ID },
  end_session: { sid: INVESTIGATION_ID },
  mcp_end: { sid: INVESTIGATION_ID },
};

/** Adds an investigation with an analyzed capture, and a reasoner. */
export function withInvestigation(on: Bench): Bench {
  const at = '2026-03-01T10:00:00.000Z';
  const chunk = chunkRecord.parse({
    id: 'c1-e0-1',
    title: 'Error',
    excerpt: 'Error',
    refs: [],
    metadata: { type: 'error_window', startIdx: 0, endIdx: 1 },
  });
  const capture = {
    id: 'c1',
    kind: 'capture',
    mode: 'cli',
    source: 'command',
    what: 'npm test',
    file: 'logs/capture.ndjson',
    startedAt: at,
    endedAt: at,
  };
  const investigation = record.parse({
    version: 1,
    sid: INVESTIGATION_ID,
    title: 'The board stays empty',
    createdAt: at,
    expiresAt: '2100-01-01T00:00:00.000Z',
    captures: [capture],
    analysis: { at, capture: 'c1', file: 'analysis/buglens.md', chunks: [chunk] },
  });
  on.investigation.memory.kept.set(
    `${INVESTIGATION_ID}/meta.json`,
    new TextEncoder().encode(JSON.stringify(investigation)),
  );
  on.investigation.reasoner = { kind: 'command', label: 'codex', find: async () => undefined };
  return on;
}
