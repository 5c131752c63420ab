import { strict as assert } from 'node:assert';

export type Answer = Record<string, unknown> & { status: string };

export interface StopData {
  timestamp: string;
  session_id: string;
  stop_id: number;
  reason: string;
  thread_id: number;
  description: string | null;
  text: string | null;
  exception?: {
    type: string;
    message?: string;
    again?: string;
    own_frame?: { function_name: string; line_number: number; variables: VariableData[] };
  };
  same_text?: Record<string, number>;
  unreadable?: string[];
  changed?: { name: string; before: string | null; now: string }[];
  source: { path: string; name: string } | null;
  line: number;
  call_stack: {
    frame_id: number;
    function_name: string;
    file_path: string;
    line_number: number;
    column_number: number;
  }[];
  top_frame_variables: { scope_name: string; variables: VariableData[] } | null;
  hit_breakpoint_ids: number[] | null;
  moved_breakpoints?: { id: number; asked_line: number }[];
  output?: string[];
  source_lines?: string[];
  source_changed_since_start?: true;
  total_frames?: number;
  exit_code?: number;
  omitted?: Record<string, number | string>;
}

export interface VariableData {
  name: string;
  value: string;
  type: string | null;
  variables_reference: number;
  fields?: Record<string, string>;
  omitted_fields?: number;
}

/** The stop that an answer reports; fails with the whole answer if it reports another outcome. */
export function stopOf(answer: Answer): StopData {
  assert.equal(answer.status, 'stopped', JSON.stringify(answer));
  return answer['stop_event_data'] as StopData;
}

export function variable(stop: StopData, name: string): VariableData {
  const found = stop.top_frame_variables?.variables.find((each) => each.name === name);
  assert.ok(found, `no variable ${name} in ${JSON.stringify(stop.top_frame_variables)}`);
  return found;
}
