import type { Fields } from '../debugger/protocol';
import { Listeners, type Subscription } from '../util/listeners';
import { BoundedBuffer, type Bounds } from './boundedBuffer';
import { factsOf, subjectOf, type CallFacts } from './callFacts';
import { messageText } from './messageText';

/**
 * What came of the question about a call. `none`: nothing was asked; `waiting`: asked, and not answered yet;
 * `skipped`: asked, and a later call came instead. What the person
 * allowed in VS Code once for all counts as approved.
 */
export type Approval = 'none' | 'waiting' | 'approved' | 'declined' | 'skipped';

/** One call of a tool, whoever made it. */
export interface CallRecord {
  readonly id: number;
  readonly at: number;
  readonly tool: string;
  readonly title: string;
  readonly caller: string;
  readonly approval: Approval;
  /** Undefined until the call has run. */
  readonly status: string | undefined;
  readonly milliseconds: number;
  readonly characters: number;
  readonly facts: CallFacts;
  /** What its value is the value of: an expression or a variable. */
  readonly subject?: string | undefined;
  /** The input as JSON, without the values of environment variables; cut where it is long. */
  readonly input: string;
  /** The result as JSON; cut where it is long. */
  readonly text: string;
}

/** A call that a question was asked about. */
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

/** More characters than for messages: a result has up to 7,500, and the last calls are what people look for. */
export const CALL_BOUNDS: Bounds = { events: 1000, characters: 2_000_000, eventCharacters: 16_000 };

const MOST_OF_AN_INPUT = 4000;
const MOST_WAITING = 100;
const NOTHING: Fields = {};

/** The last calls of all agents, with what a person needs to follow them. */
export class CallRecords {
  private readonly buffer: BoundedBuffer<CallRecord>;
  private readonly listeners = new Listeners();
  /** Calls that wait for an answer, by what VS Code names them by: the tool and the input. */
  private waiting: readonly { readonly key: string; readonly record: CallRecord }[] = [];
  private count = 0;

  constructor(
    bounds: Bounds = CALL_BOUNDS,
    private readonly now: () => number = Date.now,
  ) {
    this.buffer = new BoundedBuffer(bounds);
  }

  /** The oldest first. */
  get records(): readonly CallRecord[] {
    return this.buffer.items;
  }

  get dropped(): number {
    return this.buffer.dropped;
  }

  /** The person is asked about a call, which may come later or never. */
  asked(call: AskedCall): void {
    const input = inputText(call.input);
    const key = `${call.tool} ${input}`;
    if (this.waiting.some((each) => each.key === key)) return;
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
    this.waiting = [...this.waiting, { key, record }].slice(-MOST_WAITING);
    this.buffer.add(record);
    this.listeners.notify();
  }

  ended(call: EndedCall): void {
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
    const found = this.waiting.find((each) => each.key === key);
    this.waiting = this.waiting.filter((each) => each !== found);
    return found?.record;
  }

  /**
   * Calls of one caller come in turn: where a later one has begun, the person has skipped those that were asked about
   * before. One that comes after all, from another chat, is shown as it is.
   */
  private skipBefore(began: number, caller: string): void {
    this.waiting = this.waiting.map((each) => {
      const { record } = each;
      if (record.approval !== 'waiting' || record.caller !== caller || record.at >= began)
        return each;
      const skipped: CallRecord = { ...record, approval: 'skipped' };
      this.buffer.replace(record, skipped);
      return { ...each, record: skipped };
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
  return text.length <= MOST_OF_AN_INPUT ? text : `${text.slice(0, MOST_OF_AN_INPUT)}…`;
}
