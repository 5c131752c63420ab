import * as vscode from 'vscode';

export type Answer = Record<string, unknown> & { status: string };

const colours = {
  dim: '\u001b[2m',
  bold: '\u001b[1m',
  cyan: '\u001b[36m',
  green: '\u001b[32m',
  yellow: '\u001b[33m',
  off: '\u001b[0m',
};

/** Adds colours if the terminal shows them. The script that starts the extension host sets this in a variable. */
const paint =
  process.env['AGENT_DEBUGGER_DEMO_COLOUR'] === '1'
    ? (colour: keyof typeof colours, text: string) => `${colours[colour]}${text}${colours.off}`
    : (_colour: keyof typeof colours, text: string) => text;

/** Calls tools like any client, and prints each call with its answer and its time. */
export class Transcript {
  private step = 0;
  private milliseconds = 0;

  say(text: string): void {
    console.log(`\n${text}`);
  }

  heading(text: string): void {
    console.log(`\n${paint('bold', text)}`);
  }

  /** Calls a tool and prints the answer as lines for a person. @param tell makes the lines from the answer */
  async call(
    tool: string,
    input: object,
    tell: (answer: Answer) => readonly string[],
  ): Promise<Answer> {
    this.step += 1;
    const started = performance.now();
    const options: vscode.LanguageModelToolInvocationOptions<object> = {
      input,
      toolInvocationToken: undefined,
    };
    const result = await vscode.lm.invokeTool(tool, options);
    const took = performance.now() - started;
    this.milliseconds += took;
    const [part] = result.content;
    const text = part instanceof vscode.LanguageModelTextPart ? part.value : '';
    const answer = JSON.parse(text) as Answer;
    const parameters = Object.entries(input)
      .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
      .join(' ');
    console.log(`\n${String(this.step).padStart(2)}  ${paint('cyan', tool)} ${parameters}`);
    console.log(
      `    ${paint('dim', `${answer.status}, ${text.length} characters, ${Math.round(took)} ms`)}`,
    );
    for (const line of tell(answer)) console.log(`    ${line}`);
    return answer;
  }

  end(): void {
    console.log(
      `\n${paint('dim', `${this.step} calls, ${(this.milliseconds / 1000).toFixed(1)} s in all.`)}`,
    );
  }

  cause(lines: readonly string[]): void {
    console.log(`\n${paint('green', paint('bold', 'The cause'))}`);
    for (const line of lines) console.log(`  ${line}`);
  }
}

/** Asserts a statement of the transcript: the first false one ends the demo with a failure. */
export function truth(isTrue: boolean, claim: string, evidence: unknown): asserts isTrue {
  if (!isTrue) throw new Error(`Not true: ${claim}\n${JSON.stringify(evidence, null, 2)}`);
}
