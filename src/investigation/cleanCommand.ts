import type { CommandLine } from './runs';

/** How each kind of shell runs a command line without its start files, which may set variables. */
const WITHOUT_START_FILES: Readonly<Record<string, readonly string[]>> = {
  bash: ['bash', '--norc', '--noprofile', '-c'],
  zsh: ['zsh', '-f', '-c'],
  fish: ['fish', '--no-config', '-c'],
  ksh: ['/bin/sh', '-c'],
  sh: ['/bin/sh', '-c'],
};

const NAME = /^[A-Za-z_]\w*$/;

/**
 * A command line to type into a shell, so that the command gets exactly the variables of its environment (POSIX
 * `env -i`).
 * @param shell the kind of the shell, as VS Code names it
 * @returns undefined if that is not possible in this shell, or if the line cannot be typed
 */
export function cleanCommand(
  shell: string | undefined,
  { text, env }: CommandLine,
): string | undefined {
  if (shell === undefined || !Object.hasOwn(WITHOUT_START_FILES, shell)) return undefined;
  const variables = Object.entries(env).filter(([name]) => NAME.test(name));
  const words = [
    ...variables.map(([name, value]) => `${name}=${value}`),
    ...(WITHOUT_START_FILES[shell] ?? []),
    text,
  ];
  // The path is whole, because a start file may have defined an alias. A shell takes a control character that is typed as a key.
  if (words.some((word) => /[\p{Cc}]/u.test(word))) return undefined;
  return ['/usr/bin/env', '-i', ...words.map((word) => quoted(word, shell))].join(' ');
}

/** One word of a shell. In fish, a backslash also counts between single quotes. */
function quoted(word: string, shell: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  if (shell === 'fish') return `'${word.replace(/[\\']/g, '\\$&')}'`;
  return `'${word.replaceAll("'", "'\\''")}'`;
}
