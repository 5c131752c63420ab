import { JAVA, lineCounter, maskText } from '../scan/maskText';
import { nested, type FoundTest } from '../scan/nesting';
import type { ScannedTest } from '../testFramework';

const TYPES: ReadonlySet<string> = new Set(['class', 'record', 'interface', 'enum']);
const ANNOTATIONS: ReadonlySet<string> = new Set([
  'Test',
  'ParameterizedTest',
  'RepeatedTest',
  'TestFactory',
  'TestTemplate',
]);

/** A method or a class whose body has not begun yet. */
interface Declared {
  readonly kind: FoundTest['kind'];
  readonly name: string;
  readonly start: number;
}

/** Finds methods with an annotation of JUnit 4 or 5, in their classes. It reads the text once. */
export function scanJava(text: string): readonly ScannedTest[] {
  const scan = new JavaScan();
  const masked = maskText(text, JAVA);
  for (const { 0: token, index } of masked.matchAll(/[\w$]+|[^\s\w$]/g)) scan.take(token, index);
  return nested(scan.end(masked.length - 1), lineCounter(text));
}

class JavaScan {
  private readonly found: FoundTest[] = [];
  /** For each open brace the declaration whose body it is. */
  private readonly bodies: (Declared | undefined)[] = [];
  private parentheses = 0;
  private before = '';
  private beforeAt = 0;
  private annotation: { readonly start: number; name: string } | undefined;
  private testFrom: number | undefined;
  private declared: Declared | undefined;

  take(token: string, at: number): void {
    if (!this.takeAnnotation(token, at)) this.takeCode(token, at);
    this.before = token;
    this.beforeAt = at;
  }

  /** Returns what was found. Bodies that are not closed end with the text. */
  end(at: number): readonly FoundTest[] {
    while (this.bodies.length > 0) this.close(at);
    return this.found;
  }

  /** Reads the name of an annotation, such as `@org.junit.jupiter.api.Test`. */
  private takeAnnotation(token: string, at: number): boolean {
    const { annotation, before } = this;
    if (token === '@') {
      this.endAnnotation();
      this.annotation = { start: at, name: '' };
      return true;
    }
    if (annotation === undefined) return false;
    const isName = /^[\w$]/.test(token) && (before === '@' || before === '.');
    if (isName) annotation.name = token;
    if (isName || (token === '.' && annotation.name !== '')) return true;
    this.endAnnotation();
    return false;
  }

  private endAnnotation(): void {
    const { annotation } = this;
    if (annotation !== undefined && ANNOTATIONS.has(annotation.name) && this.parentheses === 0)
      this.testFrom ??= annotation.start;
    this.annotation = undefined;
  }

  private takeCode(token: string, at: number): void {
    if (token === '(') this.open();
    else if (token === ')') this.parentheses = Math.max(0, this.parentheses - 1);
    else if (token === '{') this.begin();
    else if (token === '}') this.close(at);
    else if (token === ';' && this.parentheses === 0) this.forget();
    else if (TYPES.has(this.before) && /^[A-Za-z_$]/.test(token))
      this.declared = { kind: 'suite', name: token, start: this.beforeAt };
  }

  private open(): void {
    this.parentheses += 1;
    const { testFrom, before } = this;
    // The last name before the body is that of the method. Annotations with arguments are before it.
    if (testFrom !== undefined && this.parentheses === 1 && /^[\w$]/.test(before))
      this.declared = { kind: 'test', name: before, start: testFrom };
  }

  private begin(): void {
    if (this.parentheses > 0) {
      this.bodies.push(undefined);
      return;
    }
    this.bodies.push(this.declared);
    this.forget();
  }

  private forget(): void {
    this.declared = undefined;
    this.testFrom = undefined;
  }

  private close(at: number): void {
    const body = this.bodies.pop();
    if (body !== undefined) this.found.push({ ...body, end: at });
  }
}
