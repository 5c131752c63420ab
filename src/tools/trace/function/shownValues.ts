import { isCompleteText } from '../../../debugger/inspection/completeText';
import type { Argument, Change } from './callModel';
import { baseOf } from './values';

/** A shorter value is repeated, because it reads better than a name. */
const MIN_NAMED = 60;

/** The values of variables that a trace has shown. The same value of an argument or of a call is shown by the name. */
export class ShownValues {
  private readonly texts: Map<string, string>;

  constructor(args: readonly Argument[]) {
    this.texts = new Map(args);
  }

  /** The variable whose value has this text. Undefined if there is none, or if the text may show only a part. */
  nameOf(text: string): string | undefined {
    if (text.length < MIN_NAMED) return undefined;
    const [found] = [...this.texts].find(([, shown]) => shown === text) ?? [];
    return found !== undefined && isCompleteText(text) ? found : undefined;
  }

  changed(changes: readonly Change[]): void {
    for (const { name, now } of changes) {
      this.texts.delete(baseOf(name));
      this.texts.set(name, now);
    }
  }

  /** Forgets values that have changed in rounds that are not shown. */
  forget(changes: readonly Change[]): void {
    for (const { name } of changes)
      for (const each of [name, baseOf(name)]) this.texts.delete(each);
  }
}
