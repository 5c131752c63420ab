/** A process of this machine. */
export interface ProcessEntry {
  readonly id: number;
  readonly parentId: number;
  /** The name of the user that it runs as, or the user's number. */
  readonly user: string;
  /** The path of its executable, or its first argument if the path is not known. */
  readonly executable: string;
  /** Its command line. */
  readonly command: string;
}

/** The processes of this machine. */
export interface Processes {
  /** Returns all processes that this user may see. Returns none if the system does not tell. */
  list(): Promise<readonly ProcessEntry[]>;
  /** Returns the ids of the processes that listen on a TCP port. Only Linux tells. */
  listeners(port: number): Promise<readonly number[]>;
  /** Returns the loopback addresses at which a program listens on a TCP port. Only Linux tells. */
  listeningHosts(port: number): Promise<readonly string[]>;
  /**
   * Returns the ids of the processes with this value of an environment variable. A process inherits its environment, so
   * these include processes that have left their parents. Windows does not tell.
   */
  withVariable(name: string, value: string): Promise<readonly number[]>;
  /** Ends a process at once. */
  kill(id: number): void;
}

/** Returns the ids of these processes and of all that they have started, directly or not. */
export function withDescendants(
  table: readonly ProcessEntry[],
  ids: Iterable<number>,
): ReadonlySet<number> {
  const children = childrenIn(table);
  const found = new Set<number>(ids);
  // A set visits what is added while it is visited.
  for (const id of found) for (const child of children.get(id) ?? []) found.add(child.id);
  return found;
}

/** Returns the ids of a process and of its ancestors. */
export function withAncestors(table: readonly ProcessEntry[], id: number): ReadonlySet<number> {
  const parents = new Map(table.map((entry) => [entry.id, entry.parentId]));
  const found = new Set<number>([id]);
  for (const each of found) {
    const parent = parents.get(each);
    if (parent !== undefined) found.add(parent);
  }
  return found;
}

/** Returns the children of each process. */
export function childrenIn(
  table: readonly ProcessEntry[],
): ReadonlyMap<number, readonly ProcessEntry[]> {
  const children = new Map<number, ProcessEntry[]>();
  for (const entry of table) {
    const siblings = children.get(entry.parentId);
    if (siblings === undefined) children.set(entry.parentId, [entry]);
    else siblings.push(entry);
  }
  return children;
}
