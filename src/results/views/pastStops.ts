import { samePath } from '../../debugger/sourcePath';
import type { StopEventData } from './stopEventData';

/** A stop that was reported, as far as a further run can be compared with it. */
export interface PastStop {
  readonly stopId: number;
  readonly threadId: number;
  readonly reason: string;
  readonly path: string;
  readonly line: number;
  /** The condition of the breakpoint that stopped the program. */
  readonly condition: string | undefined;
  /** The number of the reported stops at this place until this one, and with it. */
  readonly number: number;
  readonly seen: SeenMoment;
}

/** What a stop shows of the program. */
export interface SeenMoment {
  /** The texts of the variables of the innermost frame, and of the fields of objects among them, by name. */
  readonly values: ReadonlyMap<string, string>;
  /** The frames, the innermost first. */
  readonly stack: readonly string[];
}

/** The maximum number of stops of a session that are kept. */
const MAX_STOPS = 200;

/** The stops that calls have reported, by session. An ended session keeps them until it is forgotten. */
export class PastStops {
  private readonly kept = new Map<string, PastStop[]>();

  /** @param condition the condition of the breakpoint that was hit */
  keep(sessionKey: string, data: StopEventData, condition: string | undefined): void {
    const stops = this.kept.get(sessionKey) ?? [];
    const { source, line } = data;
    if (source === null || line === null) return;
    if (stops.some(({ stopId }) => stopId === data.stop_id)) return;
    const before = stops.filter((each) => each.line === line && samePath(each.path, source.path));
    stops.push({
      ...{ stopId: data.stop_id, threadId: data.thread_id, reason: data.reason },
      ...{ path: source.path, line, condition, number: before.length + 1 },
      seen: seenAt(data),
    });
    if (stops.length > MAX_STOPS) stops.shift();
    // The newest session comes last.
    this.kept.delete(sessionKey);
    this.kept.set(sessionKey, stops);
  }

  of(sessionKey: string): readonly PastStop[] {
    return this.kept.get(sessionKey) ?? [];
  }

  /** The keys of the sessions with stops. The one that stopped last comes last. */
  sessions(): readonly string[] {
    return [...this.kept.keys()];
  }

  prune(sessions: { readonly has: (key: string) => boolean }): void {
    for (const key of [...this.kept.keys()]) if (!sessions.has(key)) this.kept.delete(key);
  }
}

/** Returns what a report of a stop shows of the program. */
export function seenAt({ top_frame_variables: top, call_stack: stack }: StopEventData): SeenMoment {
  const values = new Map<string, string>();
  for (const { name, value, fields, lazy, scope } of top?.variables ?? []) {
    // A hidden variable has the name of another one.
    if (scope !== undefined) continue;
    if (lazy !== true) values.set(name, value);
    for (const [field, text] of Object.entries(fields ?? {})) values.set(`${name}.${field}`, text);
  }
  return {
    values,
    stack: stack.map(({ function_name: name, file_path: file, line_number: line, folded }) =>
      folded === undefined ? `${name} (${file}:${line})` : name,
    ),
  };
}
