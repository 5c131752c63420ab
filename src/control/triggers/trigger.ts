import type { StreamText } from './boundedText';

/** An HTTP request that makes a program under debug do something. */
export interface HttpRequest {
  readonly kind: 'http';
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** A command that makes a program under debug do something. It runs without a shell. */
export interface CommandRequest {
  readonly kind: 'command';
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string | undefined;
}

export type TriggerRequest = HttpRequest | CommandRequest;

/** How a trigger ended. */
export type TriggerEnd =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: StreamText;
      /** Whether the answer came only in part, because the connection was closed. */
      readonly isPartial: boolean;
    }
  | {
      readonly kind: 'exited';
      readonly code: number | undefined;
      readonly signal: string | undefined;
      readonly output: StreamText;
    }
  /** It could not be sent, or there was no answer. `code` is the system's, such as ECONNREFUSED. */
  | { readonly kind: 'failed'; readonly code: string | undefined; readonly message: string }
  /** It was ended, because the session that it was sent for ended. */
  | { readonly kind: 'aborted' };

/** Returns the end of a trigger that failed. */
export function failedBy(error: unknown): TriggerEnd {
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string'
      ? error.code
      : undefined;
  return { kind: 'failed', code, message: messageOf(error) };
}

function messageOf(error: unknown): string {
  // For a name with several addresses, the errors of all of them.
  if (error instanceof AggregateError && error.message === '')
    return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
