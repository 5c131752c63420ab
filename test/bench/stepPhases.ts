import type { DebugModel } from '../../src/debugger/state/debugModel';
import { readMessage, RESUMES } from '../../src/debugger/protocol';

/** Where the time of one step goes, in milliseconds. */
export interface Phases {
  /** From the call until the request for the step goes to the adapter. */
  readonly there: number;
  /** From then until the adapter has stopped. */
  readonly step: number;
  /** From then until the adapter has answered the last look of the stop. */
  readonly looks: number;
  /** From then until the caller has the answer. */
  readonly back: number;
}

const LOOKS: ReadonlySet<string> = new Set(['stackTrace', 'scopes', 'variables']);

/** Notes when a step's messages pass between VS Code and the adapter. */
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

  /** When the caller has the answer, and before anything else is awaited. */
  end(): Phases {
    const now = performance.now();
    // VS Code's views go on asking: what comes after the answer was made is not seen here yet.
    return {
      there: this.sent - this.began,
      step: this.stopped - this.sent,
      looks: this.looked - this.stopped,
      back: now - this.looked,
    };
  }
}
