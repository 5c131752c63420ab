import { call, type Answer } from '../support/client';

/** An answer of `explain_hang`. */
export interface Hang extends Answer {
  readonly program?: string;
  readonly groups?: readonly {
    readonly threads: readonly string[];
    readonly count: number;
    readonly stack: readonly string[];
    readonly waits_for: Readonly<Record<string, unknown>>;
    readonly variables?: Readonly<Record<string, string>>;
  }[];
  readonly deadlock?: readonly Readonly<Record<string, unknown>>[];
  readonly tasks?: readonly Readonly<Record<string, unknown>>[];
  readonly pending?: readonly { readonly kind: string; readonly what?: string }[];
  readonly unknown?: readonly string[];
}

export const explain = async (input: object = {}): Promise<Hang> =>
  await call('explain_hang', input);
