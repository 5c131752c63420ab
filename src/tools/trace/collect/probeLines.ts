import type { ToolServices } from '../../services';
import type { Probe } from './probes';

/**
 * The text of the lines of all probes, as it is when a collection begins. A program may load an edited file again: then
 * a probe is at other code, and hits are missed.
 */
export class ProbeLines {
  private constructor(
    private readonly services: Pick<ToolServices, 'workspace'>,
    private readonly probes: readonly Probe[],
    private readonly before: readonly (string | undefined)[],
  ) {}

  static async of(
    services: Pick<ToolServices, 'workspace'>,
    probes: readonly Probe[],
  ): Promise<ProbeLines> {
    return new ProbeLines(services, probes, await textsOf(services, probes));
  }

  /** The numbers of the probes whose line has other text now. */
  async changed(): Promise<ReadonlySet<number>> {
    const now = await textsOf(this.services, this.probes);
    const changed = this.probes.filter((_, index) => now[index] !== this.before[index]);
    return new Set(changed.map(({ id }) => id));
  }
}

async function textsOf(
  { workspace }: Pick<ToolServices, 'workspace'>,
  probes: readonly Probe[],
): Promise<readonly (string | undefined)[]> {
  const paths = [...new Set(probes.map(({ path }) => path))];
  const sources = await Promise.all(paths.map(async (path) => await workspace.readSource(path)));
  const byPath = new Map(paths.map((path, index) => [path, sources[index]]));
  return probes.map(({ path, line }) => byPath.get(path)?.lines[line - 1]);
}
