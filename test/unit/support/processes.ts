import type { ProcessEntry, Processes } from '../../../src/debugger/processes/processes';

/** A table of processes that a test fills. */
export class FakeProcesses implements Processes {
  entries: readonly ProcessEntry[] = [];
  /** The processes that listen, by port. */
  readonly ports = new Map<number, readonly number[]>();
  /** The loopback addresses at which a program listens, by port. */
  readonly hosts = new Map<number, readonly string[]>();
  /** The values of variables of processes, by process. */
  readonly variables = new Map<number, Readonly<Record<string, string>>>();
  readonly killed: number[] = [];

  async list(): Promise<readonly ProcessEntry[]> {
    return this.entries.filter(({ id }) => !this.killed.includes(id));
  }

  async listeners(port: number): Promise<readonly number[]> {
    return this.ports.get(port) ?? [];
  }

  async listeningHosts(port: number): Promise<readonly string[]> {
    return this.hosts.get(port) ?? [];
  }

  async withVariable(name: string, value: string): Promise<readonly number[]> {
    return [...this.variables]
      .filter(([id, variables]) => variables[name] === value && !this.killed.includes(id))
      .map(([id]) => id);
  }

  kill(id: number): void {
    this.killed.push(id);
  }
}
