import type { Fields } from '../debugger/protocol';
import { Listeners, type Subscription } from '../util/listeners';
import { BoundedBuffer, type Bounds } from './boundedBuffer';
import { factsOf, subjectOf, type CallFacts } from './callFacts';
import { messageText } from './messageText';

/**
 * The answer to the question about a call. `none`: no question was asked. `waiting`: the question was asked and is not
 * answered yet. `skipped`: the question was asked, and a later call ran instead. A call that the person has allowed
 * permanently in VS Code counts as approved.
 */
export type Approval = 'none' | 'waiting' | 'approved' | 'declined' | 'skipped';

/** One call of a tool, by any caller. */
export interface CallRecord {
  readonly id: number;
  readonly at: number;
  readonly tool: string;
  readonly title: string;
  readonly caller: string;
  readonly approval: Approval;
  /** The status of the result. Undefined until the call has run. */
  readonly status: string | undefined;
  readonly milliseconds: number;
  readonly characters: number;
  readonly facts: CallFacts;
  /** The expression or variable that the result's value belongs to. */
  readonly subject?: string | undefined;
  /** The input as JSON, without the values of environment variables. Long inputs are cut. */
  readonly input: string;
  /** The result as JSON. Long results are cut. */
  readonly text: string;
}

/** A call about which the person was asked. */
export interface AskedCall {
  readonly tool: string;
  readonly title: string;
  readonly caller: string;
  readonly input: unknown;
}

/** A call that has run. */
export interface EndedCall extends AskedCall {
  readonly status: string;
  readonly characters: number;
  readonly milliseconds: number;
  readonly result: Fields;
  /** Whether the person was asked before it ran. */
  readonly wasAsked: boolean;
}

/**
 * The bounds for calls. They allow more characters than those for messages, because a result has up to 7,500
 * characters, and people mostly need the latest calls.
 */
export const CALL_BOUNDS: Bounds = { events: 1000, characters: 2_000_000, eventCharacters: 16_000 };

const MAX_OF_AN_INPUT = 4000;
const MAX_WAITING = 100;
const NOTHING: Fields = {};

/** The latest calls of all agents. */
export class CallRecords {
  private readonly buffer: BoundedBuffer<CallRecord>;
  private readonly listeners = new Listeners();
  /** Calls that wait for an answer. VS Code identifies them only by tool and input. */
  private waiting: readonly { readonly key: string; readonly record: CallRecord }[] = [];
  private count = 0;

  constructor(
    bounds: Bounds = CALL_BOUNDS,
    private readonly now: () => number = Date.now,
  ) {
    this.buffer = new BoundedBuffer(bounds);
  }

  /** The records, oldest first. */
  get records(): readonly CallRecord[] {
    return this.buffer.items;
  }

  get dropped(): number {
    return this.buffer.dropped;
  }

  /** Records that the person is asked about a call. The call may run later or never. */
  asked(call: AskedCall): void {
    const input = inputText(call.input);
    const key = `${call.tool} ${input}`;
    if (this.waiting.some((entry) => entry.key === key)) return;
    const record: CallRecord = {
      ...this.begun(call, input),
      at: this.now(),
      approval: 'waiting',
      status: undefined,
      milliseconds: 0,
      characters: 0,
      facts: factsOf(call.input, NOTHING),
      text: '',
    };
    this.waiting = [...this.waiting, { key, record }].slice(-MAX_WAITING);
    this.buffer.add(record);
    this.listeners.notify();
  }

  /** Records a call that has run. @returns its record */
  ended(call: EndedCall): CallRecord {
    const input = inputText(call.input);
    const asked = this.takeAsked(`${call.tool} ${input}`);
    const { status, characters, milliseconds, result } = call;
    this.skipBefore(this.now() - milliseconds, call.caller);
    const record: CallRecord = {
      ...this.begun(call, input, asked?.id),
      at: asked?.at ?? this.now() - milliseconds,
      approval: approvalOf(call, asked),
      status,
      milliseconds,
      characters,
      facts: factsOf(call.input, result),
      subject: subjectOf(call.input),
      text: this.buffer.fit(messageText(result)),
    };
    if (asked === undefined || !this.buffer.replace(asked, record)) this.buffer.add(record);
    this.listeners.notify();
    return record;
  }

  clear(): void {
    this.buffer.clear();
    this.waiting = [];
    this.listeners.notify();
  }

  onDidChange(listener: () => void): Subscription {
    return this.listeners.add(listener);
  }

  private begun(
    { tool, title, caller }: AskedCall,
    input: string,
    id?: number,
  ): Pick<CallRecord, 'id' | 'tool' | 'title' | 'caller' | 'input'> {
    if (id === undefined) this.count += 1;
    return { id: id ?? this.count, tool: tool.slice(0, 100), title, caller, input };
  }

  private takeAsked(key: string): CallRecord | undefined {
    const found = this.waiting.find((entry) => entry.key === key);
    this.waiting = this.waiting.filter((entry) => entry !== found);
    return found?.record;
  }

  /**
   * A caller makes one call at a time. If a later call has begun, the person skipped the earlier questions. If a
   * skipped call still runs, from another chat, its actual outcome is recorded.
   */
  private skipBefore(began: number, caller: string): void {
    this.waiting = this.waiting.map((entry) => {
      const { record } = entry;
      if (record.approval !== 'waiting' || record.caller !== caller || record.at >= began)
        return entry;
      const skipped: CallRecord = { ...record, approval: 'skipped' };
      this.buffer.replace(record, skipped);
      return { ...entry, record: skipped };
    });
  }
}

function approvalOf({ result, wasAsked }: EndedCall, asked: CallRecord | undefined): Approval {
  if (result['code'] === 'declined_by_person') return 'declined';
  if (result['code'] === 'not_confirmed_yet') return 'waiting';
  return wasAsked || asked !== undefined ? 'approved' : 'none';
}

function inputText(input: unknown): string {
  const text = input === undefined ? '{}' : messageText(input);
  return text.length <= MAX_OF_AN_INPUT ? text : `${text.slice(0, MAX_OF_AN_INPUT)}…`;
}
