import { createHash } from 'node:crypto';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { moved } from './catalog';
import type { ClientMachine, Level } from './client';
import { readSettings, type Snapshot, type Undo } from './configurationFile';
import { UnusableSettings } from './entryFormat';
import type { Installed } from './installed';
import type { PlannedEdit } from './setUp';

/** The name of the skill and of its folder. */
export const SKILL_NAME = 'debug-instead-of-guessing';

/** Marks the header of a skill that we wrote. A file without this mark was written by others. */
const MARK = 'source: agent-debugger';

/** A folder in which agents find skills. */
export interface SkillPlace {
  readonly level: Level;
  /** The folder as it is shown to the person, such as `~/.agents/skills`. */
  readonly name: string;
  /** The agents that read the folder. */
  readonly readers: readonly string[];
  /** The workspace folder, at the workspace level. */
  readonly folder?: string;
  readonly file: string;
}

/**
 * The state of a skill file. `current`: as it would be written now. `other`: ours, with another text. `foreign`: not
 * ours.
 */
export type SkillState = 'none' | 'current' | 'other' | 'foreign' | 'unusable';

/** A folder with skills, and the agents that read it. */
interface Folder {
  readonly name: string;
  readonly readers: readonly string[];
  /**
   * The reader that uses another folder if its environment variable is set. Other readers still read the usual folder.
   */
  readonly mover?: { readonly variable: string; readonly reader: string };
}

const COPILOT = ['Copilot CLI', 'VS Code'];
const ALL = [...COPILOT, 'Codex', 'Cursor', 'Gemini CLI', 'opencode'];
const USER_FOLDERS: readonly Folder[] = [
  { name: '.agents', readers: ALL },
  {
    name: '.copilot',
    readers: COPILOT,
    mover: { variable: 'COPILOT_HOME', reader: 'Copilot CLI' },
  },
  {
    name: '.claude',
    readers: ['Claude Code', 'opencode'],
    mover: { variable: 'CLAUDE_CONFIG_DIR', reader: 'Claude Code' },
  },
];
const WORKSPACE_FOLDERS: readonly (readonly [folder: string, readers: readonly string[]])[] = [
  ['.agents', ALL],
  ['.github', COPILOT],
];

/** The places where the skill can be installed, on the machine with the files. */
export function skillPlacesOf(
  machine: ClientMachine,
  folders: readonly string[],
): readonly SkillPlace[] {
  const paths = machine.platform === 'win32' ? path.win32 : path.posix;
  const fileIn = (...parts: readonly string[]): string =>
    paths.join(...parts, 'skills', SKILL_NAME, 'SKILL.md');
  return [
    ...USER_FOLDERS.map(({ name, readers, mover }) => {
      const usual = paths.join(machine.home, name);
      const folder = mover === undefined ? usual : moved(mover.variable, name)(machine);
      const isMoved = mover !== undefined && paths.resolve(folder) !== usual;
      return {
        level: 'user' as const,
        name: isMoved ? paths.join(folder, 'skills') : `~/${name}/skills`,
        readers: isMoved ? [mover.reader] : readers,
        file: fileIn(folder),
      };
    }),
    ...folders.flatMap((folder) =>
      WORKSPACE_FOLDERS.map(([name, readers]) => ({
        level: 'workspace' as const,
        name: `${name}/skills`,
        readers,
        folder,
        file: fileIn(folder, name),
      })),
    ),
  ];
}

/** The text of the skill file, with the version that writes it. */
export function skillText(skill: string, version: string): string {
  return skill.replace(
    /^(---\n[\s\S]*?\n)---\n/,
    (_whole, header: string) => `${header}metadata:\n  ${MARK}\n  version: "${version}"\n---\n`,
  );
}

/** The state of the skill in a place. */
export async function skillStateOf(place: SkillPlace, text: string): Promise<SkillState> {
  try {
    const before = await readSettings(place.file, place.folder);
    if (before.bytes === undefined) return 'none';
    if (before.text === text) return 'current';
    return isOurs(before.text) ? 'other' : 'foreign';
  } catch {
    return 'unusable';
  }
}

/** The agents that would have the skill twice, because they also read another place with it. */
export function readersTwice(place: SkillPlace, others: readonly SkillPlace[]): readonly string[] {
  const already = new Set(
    others.filter(({ file }) => file !== place.file).flatMap(({ readers }) => readers),
  );
  return place.readers.filter((reader) => already.has(reader));
}

/** Plans to write the skill. Undefined if it is current. @throws UnusableSettings */
export async function planSkill(place: SkillPlace, text: string): Promise<PlannedEdit | undefined> {
  const before = await readSettings(place.file, place.folder);
  if (before.text === text) return undefined;
  assertOurs(before);
  return { before, after: text, isSecret: false, secrets: [] };
}

/**
 * Plans to remove the skill and the folders that were created for it. Undefined if there is none. The person sees the
 * skill first, even one that a person has changed. @throws UnusableSettings
 */
export async function planSkillRemoval(
  place: SkillPlace,
  installed: Installed,
): Promise<PlannedEdit | undefined> {
  const before = await readSettings(place.file, place.folder);
  if (before.bytes === undefined) return undefined;
  assertOurs(before);
  const made = (await installed.find(before.file))?.madeFolder;
  const undo: Undo = {
    file: before.file,
    hash: createHash('sha256').update(before.bytes).digest('hex'),
    offset: 0,
    length: before.text.length,
    replaced: '',
    mode: undefined,
    existed: false,
    madeFolder: made ?? path.dirname(before.file),
  };
  return { before, after: '', isSecret: false, secrets: [], undo };
}

function assertOurs(before: Snapshot): void {
  if (before.bytes === undefined || isOurs(before.text)) return;
  const error = new UnusableSettings(
    l10n.t('A skill of the same name exists that Agent Debugger did not write.'),
  );
  error.file = before.file;
  throw error;
}

function isOurs(text: string): boolean {
  const [, header] = /^---\n([\s\S]*?)\n---\n/.exec(text.replace(/\r\n/g, '\n')) ?? [];
  return header?.split('\n').some((line) => line.trim() === MARK) === true;
}
