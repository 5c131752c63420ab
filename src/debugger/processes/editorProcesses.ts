import { childrenIn, type ProcessEntry } from './processes';

/** Matches the command lines of processes that only an editor built on VS Code starts: Electron's, and the server's. */
const PART_OF_EDITOR =
  /(?:^|\s)--vscode-(?:utility-kind|window-config)=|[\\/]bootstrap-fork(?:\.js)?["']?\s+--type=\w/;

/** Matches the command lines of the parts that start programs: for extensions, for terminals and for agents. */
const STARTS_PROGRAMS =
  /(?:^|\s)--(?:vscode-utility-kind|type)=(?:extensionHost|ptyHost|agentHost)\b/;

/** Matches a path in the folder of an installed extension: `publisher.name-1.2.3`. */
const IN_EXTENSION =
  /[\\/]extensions[\\/][\w-]{1,64}\.[\w.-]{1,100}-\d{1,9}\.\d{1,9}\.\d{1,9}[^\\/\s]{0,100}[\\/]/;

/** A part of an editor. */
interface Part {
  readonly entry: ProcessEntry;
  /** The folder of the editor's own code. Undefined if no command line names it. */
  readonly folder: string | undefined;
  /** Whether it was started by a part that starts programs, so that only its code tells that it is a part. */
  readonly isStarted: boolean;
}

/**
 * Returns the ids of the processes that are editors: their windows, extension hosts, file watchers, language servers and
 * debug adapters. This holds for all editors that are built on VS Code, not only for this window. What a terminal or an
 * extension has started is not part of the editor, unless its code belongs to the editor or to an extension.
 * @param self the id of this process, which is an extension host
 */
export function editorProcesses(table: readonly ProcessEntry[], self: number): ReadonlySet<number> {
  const byId = new Map(table.map((entry) => [entry.id, entry]));
  const parts = new Map<number, Part>();
  for (const entry of table) {
    if (entry.id !== self && !PART_OF_EDITOR.test(entry.command)) continue;
    const folder = installationOf(entry);
    for (const each of upToMain(byId, entry))
      if (each === entry || !parts.has(each.id))
        parts.set(each.id, { entry: each, folder, isStarted: false });
  }
  const children = childrenIn(table);
  // A map visits what is added while it is visited.
  for (const [id, part] of parts)
    for (const child of children.get(id) ?? [])
      if (!parts.has(child.id) && isPart(child, part, self))
        parts.set(child.id, {
          entry: child,
          folder: part.folder,
          isStarted: part.isStarted || startsPrograms(part.entry, self),
        });
  return new Set(parts.keys());
}

/** Returns a part of an editor, and its ancestors up to the main process of the editor. */
function upToMain(
  byId: ReadonlyMap<number, ProcessEntry>,
  part: ProcessEntry,
): readonly ProcessEntry[] {
  const line = [part];
  for (let each = byId.get(part.parentId); each !== undefined; each = byId.get(each.parentId)) {
    if (applicationOf(each) !== applicationOf(part) || line.includes(each)) break;
    line.push(each);
  }
  return line;
}

/** Whether a child of a part of an editor is a part of it as well. */
function isPart(child: ProcessEntry, { entry, folder, isStarted }: Part, self: number): boolean {
  if (folder !== undefined && child.command.includes(folder)) return true;
  if (isStarted) return false;
  return startsPrograms(entry, self)
    ? IN_EXTENSION.test(child.command)
    : applicationOf(child) === applicationOf(entry);
}

function startsPrograms({ id, command }: ProcessEntry, self: number): boolean {
  return id === self || STARTS_PROGRAMS.test(command);
}

/** Returns the folder of the editor's own code, as far as the command line of a part of it names the folder. */
function installationOf({ command, executable }: ProcessEntry): string | undefined {
  const end = command.search(/[\\/]out[\\/]bootstrap-fork/);
  if (end !== -1) {
    const before = command.slice(0, end + 1);
    const start = [...before.matchAll(/(?:^|\s)["']?(?=[\\/]|[A-Za-z]:\\)/g)].at(-1);
    return start === undefined ? undefined : before.slice(start.index + start[0].length);
  }
  if (!command.includes('--vscode-')) return undefined;
  const application = applicationOf({ executable });
  const name = Math.max(application.lastIndexOf('/'), application.lastIndexOf('\\')) + 1;
  return application.slice(0, name);
}

/** Returns the path of an application: on macOS its bundle, elsewhere its executable. */
function applicationOf({ executable }: Pick<ProcessEntry, 'executable'>): string {
  return /^.*?\.app(?=\/)/.exec(executable)?.[0] ?? executable;
}
