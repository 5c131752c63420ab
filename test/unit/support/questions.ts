import { strict as assert } from 'node:assert';
import type { PersonsAnswer } from '../../../src/mcp/server/confirmation';
import { ALL_TOOLS } from '../../../src/tools/catalog';
import type { Tool } from '../../../src/tools/defineTool';
import type { Question } from '../../../src/tools/question';

/** Returns a tool by its name. */
export function tool(name: string): Tool {
  const found = ALL_TOOLS.find((candidate) => candidate.name === name);
  assert.ok(found);
  return found;
}

/** A person whose answers the test gives. */
export class Person {
  readonly asked: {
    readonly question: Question;
    readonly client: string;
    readonly signal: AbortSignal;
    readonly answer: (answer: PersonsAnswer) => void;
  }[] = [];

  readonly ask = async (
    question: Question,
    client: string,
    signal: AbortSignal,
  ): Promise<PersonsAnswer> =>
    await new Promise((answer) => {
      this.asked.push({ question, client, signal, answer });
      for (const resolve of this.waiting.splice(0)) resolve();
    });

  private readonly waiting: (() => void)[] = [];

  /** Resolves when `count` questions have been asked. */
  async questions(count: number): Promise<void> {
    while (this.asked.length < count)
      await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  answer(at: number, answer: PersonsAnswer): void {
    this.asked[at]?.answer(answer);
  }
}

/** The input of a call that continues. */
export const CONTINUE = { thread_id: 1 };
