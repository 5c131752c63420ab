import { CallRecords, type EndedCall } from '../../../src/diagnostics/calls';
import type { DocumentSources } from '../../../src/diagnostics/documents';
import { McpTraffic } from '../../../src/diagnostics/mcpTraffic';
import { ProtocolTrace } from '../../../src/diagnostics/protocolTrace';
import { Recording } from '../../../src/diagnostics/recording';
import { DiagnosticsRedaction } from '../../../src/diagnostics/redaction';
import { Redactor } from '../../../src/results/redact';
import { AT } from '../support/events';

/** Invented credentials of the kinds that programs, configurations and clients use. */
export const SECRETS = {
  github: `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`,
  environment: 'opens3same5',
  password: 'correct horse',
  argument: 'argument9of7secret',
  address: 'address4secret',
  bearer: 'bearerbearerbearer0123456789',
  output: 'printed8secret',
  evaluated: 'evaluated6secret',
} as const;

export function redaction(secrets: () => readonly string[] = () => []): DiagnosticsRedaction {
  return new DiagnosticsRedaction(new Redactor(() => ({ enabled: true, patterns: [] })), secrets);
}

export interface Sources extends DocumentSources {
  /** The time at which the records are made. */
  clock: { at: number };
}

export function sources(secrets?: () => readonly string[]): Sources {
  const recording = new Recording();
  const clock = { at: AT };
  return {
    clock,
    recording,
    calls: new CallRecords(undefined, () => clock.at),
    trace: new ProtocolTrace(recording),
    traffic: new McpTraffic(recording, undefined, () => clock.at),
    redaction: redaction(secrets),
    idOf: (key) => ({ a: 's1', b: 's2' })[key] ?? key,
  };
}

/** A call that has run, with default values. */
export function call(more: Partial<EndedCall> = {}): EndedCall {
  return {
    tool: 'step_execution',
    title: 'Step',
    caller: 'VS Code',
    input: { step_type: 'over' },
    status: 'stopped',
    characters: 100,
    milliseconds: 35,
    result: stopResult(),
    wasAsked: false,
    ...more,
  };
}

/** The result of a stop, as tools return it. */
export function stopResult(more: object = {}): { readonly status: string } {
  return {
    status: 'stopped',
    ...{
      stop_event_data: {
        session_id: 's1',
        reason: 'step',
        source: { path: '/home/ada/app/main.js', name: 'main.js' },
        line: 3,
        call_stack: [{ function_name: 'add', file_path: '/home/ada/app/main.js', line_number: 3 }],
        changed: [
          { name: 'total', before: '0', now: '1' },
          { name: 'fresh', before: null, now: '2' },
        ],
        output: ['hello'],
        ...more,
      },
    },
  };
}
