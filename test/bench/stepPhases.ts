import type { DebugModel } from '../../src/debugger/state/debugModel';
import { readMessage, RESUMES } from '../../src/debugger/protocol';

/** The phases of one step, in milliseconds. */
export interface Phases {
  /** From the call until the request for the step is sent to the adapter. */
  readonly there: number;
  /** From then until the adapter has stopped. */
  readonly step: number;
  /** From then until the adapter has answered the last read-only request of the stop. */
  readonly looks: number;
  /** From then until the caller has the answer. */
  readonly back: number;
}

const LOOKS: ReadonlySet<string> = new Set(['stackTrace', 'scopes', 'variables']);

/** Records the times of a step's messages between VS Code and the adapter. */
export class PhaseClock {
  private began = 0;
  private sent = 0;
  private stopped = 0;
  private looked = 0;

  constructor(model: DebugModel) {
    model.observe((event) => {
      if (event.type !== 'toAdapter' && event.type !== 'fromAdapter') return;
      const message = readMessage(event.message);
      if (message?.type === 'request' && RESUMES.has(message.command))
        this.sent = performance.now();
      else if (message?.type === 'event' && message.event === 'stopped')
        this.stopped = performance.now();
      else if (message?.type === 'response' && LOOKS.has(message.command))
        this.looked = performance.now();
    });
  }

  begin(): void {
    this.began = performance.now();
  }

  /** Call it when the caller has the answer, before any other await. */
  end(): Phases {
    const now = performance.now();
    // VS Code's views send further requests: responses after the answer are not counted.
    return {
      there: this.sent - this.began,
      step: this.stopped - this.sent,
      looks: this.looked - this.stopped,
      back: now - this.looked,
    };
  }
}
