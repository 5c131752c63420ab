import { fields } from '../../../src/debugger/protocol';
import { answerText } from '../calling';
import type { Move } from './bug';
import type { Cost } from './findings';
import type { Place, Stepper } from './stepping';

/** Steps with the extension's own tools, one call for each move. */
export class ToolStepper implements Stepper {
  readonly showsSource = true;
  private starts = 0;

  /** @param launch the input of start_debugging besides breakpoints */
  constructor(
    private readonly cost: Cost,
    private readonly file: string,
    private readonly launch: object,
  ) {}

  async start({ line, condition }: Place): Promise<string> {
    const breakpoint = {
      file_path: this.file,
      line_number: line,
      ...(condition === undefined ? {} : { condition }),
    };
    // The symptom's breakpoint is after all others; a breakpoint of a later run would stop the next run first.
    if (this.starts > 1) await told(this.cost, 'remove_breakpoint', { clear_all: true });
    const again = this.starts > 0 ? { replace: true } : {};
    this.starts += 1;
    return await this.stopped('start_debugging', {
      ...this.launch,
      breakpoints: [breakpoint],
      ...again,
    });
  }

  async move(move: Move): Promise<string> {
    return move === 'next'
      ? await this.stopped('continue_debugging', {})
      : await this.stopped('step_execution', { step_type: move });
  }

  async end(): Promise<void> {
    await told(this.cost, 'stop_debugging', {});
    await told(this.cost, 'remove_breakpoint', { clear_all: true });
  }

  private async stopped(name: string, input: object): Promise<string> {
    const answer = await told(this.cost, name, input);
    if (fields(JSON.parse(answer))['status'] !== 'stopped')
      throw new Error(`${name}: ${answer.slice(0, 2000)}`);
    return answer;
  }
}

/** Calls a tool and records its cost. @throws if it fails */
export async function told(cost: Cost, name: string, input: object): Promise<string> {
  const answer = await answerText(name, input);
  cost.note({ name, input }, answer);
  if (fields(JSON.parse(answer))['status'] === 'error') throw new Error(`${name}: ${answer}`);
  return answer;
}
