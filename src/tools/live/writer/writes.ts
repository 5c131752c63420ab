import type { Asked, Key } from './valuePath';

/** The languages whose sources are read. */
export type Language = 'python' | 'javascript';

interface WritePlace {
  /** The place at which the statement begins. The column is given only if other code comes first on the line. */
  readonly line: number;
  readonly column?: number | undefined;
}

/** A place in a source file at which a variable or an object may change. */
export type Write = WritePlace &
  (
    | {
        readonly kind: 'variable';
        readonly name: string;
        /** The scope that declares the variable. Variables of the same name in other scopes are others. */
        readonly scope: string;
        /** Whether another function than the one that declares the variable assigns it. */
        readonly isInner: boolean;
      }
    | {
        readonly kind: 'member';
        /** The expression of the changed object. Undefined if it cannot be read without running code. */
        readonly receiver: string | undefined;
        /** The changed member. Undefined if it may be any of them. */
        readonly key: Key | undefined;
      }
  );

/** What a source file says about an expression at a place of it. */
export interface SourceWrites {
  readonly writes: readonly Write[];
  /** The scope that declares a name at a line, and the line at which calls of the function around it begin. */
  readonly scopeOf: (name: string, line: number) => Scope;
}

export interface Scope {
  readonly id: string;
  /**
   * `single`: it exists once, as the one of a module. `own`: it belongs to the call that the line is in, and the calls of
   * its function can be told apart. `unclear`: any other, such as the one of a function around it.
   */
  readonly calls: 'single' | 'own' | 'unclear';
  /** The line at which each call of its function begins (JavaScript only). */
  readonly entry?: number | undefined;
}

/** The value and the object that the first run had at the stop. */
export interface Facts {
  /** Whether the value is an object that can change without an assignment. */
  readonly isMutable: boolean;
}

/** Whether a write may change what was asked about, as far as the source shows. */
export function mayWrite(
  write: Write,
  asked: Asked,
  scope: string | undefined,
  { isMutable }: Facts,
  language: Language,
): boolean {
  if (write.kind === 'variable')
    return asked.kind === 'variable' && write.name === asked.name && write.scope === scope;
  // The object behind any name may be the value itself.
  if (isMutable) return true;
  return asked.kind === 'member' && mayBeKey(write.key, asked.key, language);
}

function mayBeKey(written: Key | undefined, asked: Key, language: Language): boolean {
  if (written === undefined) return true;
  if (language !== 'javascript' && written.kind !== asked.kind) return false;
  const [one, other] = [written.constant, asked.constant];
  // A new length removes elements.
  if (language === 'javascript' && one === '"length"') return true;
  if (one === undefined || other === undefined) return true;
  // A negative index of Python counts from the end.
  const mayBeSame = one.startsWith('-') || other.startsWith('-');
  return mayBeSame || isSameKey(one, other);
}

/** Whether two texts of keys are the same key. */
export function isSameKey(one: string, other: string): boolean {
  return comparable(one) === comparable(other);
}

/** `o["1"]` and `o[1]` are the same in JavaScript, and a slip into a further candidate in Python. */
function comparable(constant: string): string {
  return /^["']/.test(constant) ? constant.slice(1, -1) : constant;
}
