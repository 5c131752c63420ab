import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/** The cost of a way to a bug so far: the calls, and the tokens of requests and answers. */
export class Cost {
  calls = 0;
  tokens = 0;
  readonly transcript: string[] = [];

  /** Records a message that arrived without a request. */
  read(message: string): void {
    this.tokens += countTokens(message);
    this.transcript.push(message);
  }

  note(request: object, answer: string): void {
    const asked = JSON.stringify(request);
    this.calls += 1;
    this.tokens += countTokens(asked) + countTokens(answer);
    this.transcript.push(asked, answer);
  }
}

/** Whether an answer contains a line of a file: as a location, as a line of source, or as a line of a trace. */
export function tellsLine(answer: string, line: number): boolean {
  const forms = [`"line(?:_number)?":${line}\\b`, `\\.\\w+:${line}\\b`, `"\\s*>?${line} `];
  return new RegExp(forms.join('|')).test(answer);
}

/** Whether answers contain a value, also in JSON within JSON. */
export function tellsValue(answers: readonly string[], shows: RegExp): boolean {
  return shows.test(answers.join('\n').replace(/\\+"/g, '"'));
}
