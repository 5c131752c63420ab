import { fields, textOf, type Fields } from '../../debugger/protocol';

/** The options of a project's own command line, without those that the run of one test replaces. */
export interface ScriptOptions {
  readonly runner: readonly string[];
  readonly node: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The options that the run cannot keep. */
  readonly dropped: readonly string[];
  /** Whether tsx runs the tests. */
  readonly isTsx: boolean;
}

/** How a project's own command line is read. Options are matched without their values. */
export interface CommandLine {
  /** Matches the runner in a script. */
  readonly runner: RegExp;
  /** Matches the options that take the next word as their value. */
  readonly takesValue: RegExp;
  /** Matches the options that the run of one test replaces: the selection of tests, the reporter. */
  readonly replaced: RegExp;
  /** Matches the options that the run of one test cannot keep. They are named in the result. */
  readonly dropped: RegExp;
  /** Whether Node itself is the runner, so that all options are for Node. */
  readonly isNode?: boolean;
}

const NODE_TAKES_VALUE =
  /^(?:--import|--require|-r|--loader|--experimental-loader|--conditions|-C|--env-file(?:-if-exists)?|--input-type|--disable-warning|--test-(?:name-pattern|skip-pattern|reporter|reporter-destination|concurrency|shard|timeout|isolation))$/;
const NODE_REPLACED =
  /^--(?:test|test-(?:name-pattern|skip-pattern|only|reporter|reporter-destination|shard|concurrency|isolation|force-exit)|experimental-test-isolation|inspect.*)$/;
const NODE_DROPPED = /^--(?:watch.*|experimental-test-coverage|test-coverage-.*|.*prof(?:-[^]*)?)$/;
const NODE_PROGRAM = /^(?:.*[\\/])?(?:node(?:\.exe)?|tsx|ts-node)$/;
const VARIABLE = /^([A-Za-z_]\w*)=(.*)$/;

/** Returns the scripts of package.json. Scripts that run tests come first. */
export function scriptsOf(manifest: Fields): readonly string[] {
  return Object.entries(fields(manifest['scripts']))
    .sort(([left], [right]) => Number(/^test/.test(right)) - Number(/^test/.test(left)))
    .flatMap(([, script]) => textOf(script) ?? []);
}

/** Splits a command into its words. A quoted part belongs to the word around it. References to variables are removed. */
function wordsOf(command: string): readonly string[] {
  return [...command.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2').replace(/\$\w+ ?|\$\{\w+\} ?/g, ''),
  );
}

/** Reads the options of the project's own command line. */
export function scriptOptions(manifest: Fields, line: CommandLine): ScriptOptions {
  const script = scriptsOf(manifest).find((candidate) => line.runner.test(candidate)) ?? '';
  const command = script.split(/&&|\|\||;/).find((part) => line.runner.test(part)) ?? '';
  return new CommandReader(line).read(wordsOf(command));
}

class CommandReader {
  private readonly inRunner: string[] = [];
  private readonly node: string[] = [];
  private readonly dropped: string[] = [];
  private readonly env: Record<string, string> = {};
  /** Whose options the words are: those of a program before, of Node, or of the runner. */
  private owner: 'other' | 'runtime' | 'runner' = 'other';
  private isTsx = false;

  constructor(private readonly line: CommandLine) {}

  read(words: readonly string[]): ScriptOptions {
    for (let at = 0; at < words.length; at += 1) {
      const word = words[at] ?? '';
      if (word.startsWith('-') && word !== '-' && word !== '--')
        at += this.option(word, words[at + 1]);
      else this.word(word);
    }
    const { inRunner: runner, node, env, dropped, isTsx } = this;
    return { runner, node, env, dropped, isTsx };
  }

  private word(word: string): void {
    const [, name, value] = VARIABLE.exec(word) ?? [];
    if (this.owner === 'runner') return;
    if (name !== undefined && value !== undefined && this.owner === 'other') this.env[name] = value;
    else if (NODE_PROGRAM.test(word)) {
      this.owner = 'runtime';
      this.isTsx = /tsx$/.test(word);
    } else if (this.line.isNode !== true && this.line.runner.test(word)) this.owner = 'runner';
  }

  /** @returns the number of the following words that belong to the option */
  private option(word: string, next: string | undefined): number {
    const [option = word] = word.split('=', 1);
    const { takesValue, replaced, dropped } = this.line;
    const isNodes = this.owner === 'runtime';
    const takes = isNodes ? NODE_TAKES_VALUE : takesValue;
    const hasValue = !word.includes('=') && takes.test(option) && next !== undefined;
    const words = hasValue ? [word, next] : [word];
    if (this.owner === 'other') return 0;
    if ((isNodes ? NODE_DROPPED : dropped).test(option)) this.dropped.push(words.join(' '));
    else if (!(isNodes ? NODE_REPLACED : replaced).test(option))
      (isNodes ? this.node : this.inRunner).push(...words);
    return words.length - 1;
  }
}
