import type { CommandLine } from './runs';

/** How each kind of shell runs a command line without its start files, which may set variables. */
const WITHOUT_START_FILES: Readonly<Record<string, string>> = {
  bash: 'bash --norc --noprofile -c',
  zsh: 'zsh -f -c',
  fish: 'fish --no-config -c',
  ksh: '/bin/sh -c',
  sh: '/bin/sh -c',
};

/** The prefix of the variables of the terminal that carry the values to the command. */
const CARRIER = 'AGENT_DEBUGGER_VALUE_';

/**
 * A command that gets exactly the variables of its environment, whatever variables the shell has that runs it (POSIX
 * `env -i`). Their values are in variables of the terminal and not in the line, because shells keep a history.
 */
export class CleanCommand {
  /** The variables of the terminal that the line needs. */
  readonly variables: Readonly<Record<string, string>>;
  private readonly names: readonly string[];

  constructor(private readonly command: CommandLine) {
    this.names = Object.keys(command.env);
    this.variables = Object.fromEntries(
      this.names.map((name, index) => [`${CARRIER}${index}`, command.env[name] ?? '']),
    );
  }

  /**
   * The line to type into a shell.
   * @param shell the kind of the shell, as VS Code names it
   * @returns undefined if the shell cannot do that, or the line cannot be typed
   */
  lineFor(shell: string | undefined): string | undefined {
    const { text } = this.command;
    if (shell === undefined || !Object.hasOwn(WITHOUT_START_FILES, shell)) return undefined;
    // A shell would take other names as code, and `env` as options.
    if (!this.names.every((name) => /^[A-Za-z_]\w*$/.test(name))) return undefined;
    // A shell takes a control character that is typed as a key.
    if (/\p{Cc}/u.test(text)) return undefined;
    const variables = this.names.map((name, index) => `${name}="$${CARRIER}${index}"`);
    // The path is whole, because a start file may have defined an alias.
    return [
      '/usr/bin/env',
      '-i',
      ...variables,
      WITHOUT_START_FILES[shell],
      quoted(text, shell),
    ].join(' ');
  }
}

/** One word of a shell. In fish, a backslash also counts between single quotes. */
function quoted(word: string, shell: string): string {
  if (shell === 'fish') return `'${word.replace(/[\\']/g, '\\$&')}'`;
  return `'${word.replaceAll("'", "'\\''")}'`;
}
