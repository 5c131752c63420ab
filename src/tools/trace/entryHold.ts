import path from 'node:path';
import type { TemporaryBreakpoint } from '../../control/temporaryBreakpoints';
import { adapterOf } from '../../debugger/adapters/registry';
import type { Frame } from '../../debugger/inspection/stackAndVariables';
import { textOf, type Fields } from '../../debugger/protocol';
import type { SessionState, StopState } from '../../debugger/state/state';
import type { PlannedLaunch } from '../launch/launchPlan';
import { replaceVariables } from '../templates';
import type { ToolServices } from '../services';
import type { Reach } from './reach';

interface Place {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

type Services = Pick<ToolServices, 'breakpoints' | 'control' | 'workspace'>;

/**
 * Stops a program that the call starts at its first statement, if the debugger may set breakpoints late (js-debug).
 *
 * The setting `stopOnEntry` is not suitable. With it, js-debug stops at the first place in the file at which V8 can
 * stop, which may be in a function. Then each call of that function stops, and breakpoints that are hit there are not
 * reported. So `stopOnEntry` is switched off.
 */
export class EntryHold {
  private temporary: TemporaryBreakpoint | undefined;
  private id: number | undefined;

  private constructor(
    private readonly services: Services,
    /** The way in which the program is started. */
    readonly reach: Reach,
    private readonly place: Place | undefined,
  ) {}

  static async of(services: Services, reach: Reach, type: string): Promise<EntryHold> {
    if (reach.kind === 'session' || adapterOf(type).setsBreakpointsLate !== true)
      return new EntryHold(services, reach, undefined);
    const launches = reach.plan.launches.map(withoutStopOnEntry);
    const [launch] = launches;
    const file =
      launch === undefined || reach.test !== undefined
        ? undefined
        : scriptOf(launch.configuration, launch.folderPath);
    const place = file === undefined ? undefined : await firstPlaceOf(services, file);
    return new EntryHold(services, { ...reach, plan: { ...reach.plan, launches } }, place);
  }

  /** Sets the breakpoint. If another breakpoint is at its place, the program is not stopped. */
  set(): void {
    const { services, place } = this;
    if (place === undefined || services.breakpoints.at(place.path, place.line).length > 0) return;
    this.temporary = services.control.temporary.add({ kind: 'source', ...place });
    this.id = services.breakpoints.idOf(this.temporary.breakpoint);
  }

  get isSet(): boolean {
    return this.temporary !== undefined;
  }

  /** Whether a program was stopped by this breakpoint, or is at its entry for another reason. */
  isAt(session: SessionState, stop: StopState, top: Frame | undefined): boolean {
    if (stop.reason === 'entry') return true;
    if (this.id === undefined || !stop.reason.includes('breakpoint')) return false;
    const hit = this.services.breakpoints.hit(session, stop, top);
    return hit !== null && hit.every((id) => id === this.id);
  }

  dispose(): void {
    this.temporary?.dispose();
    this.temporary = undefined;
  }
}

function withoutStopOnEntry(launch: PlannedLaunch): PlannedLaunch {
  const { configuration } = launch;
  if (configuration['stopOnEntry'] === undefined || configuration['request'] === 'attach')
    return launch;
  return { ...launch, configuration: { ...configuration, stopOnEntry: false } };
}

/**
 * Returns the path of the program's script. Returns undefined if it contains variables other than the workspace folder.
 */
function scriptOf(configuration: Fields, folderPath: string | undefined): string | undefined {
  const fill = (text: string): string =>
    replaceVariables(text, ({ name, argument }) =>
      name === 'workspaceFolder' && argument === undefined ? folderPath : undefined,
    );
  const program = fill(textOf(configuration['program']) ?? '');
  const cwd = fill(textOf(configuration['cwd']) ?? folderPath ?? '');
  const file = path.isAbsolute(program) ? program : path.join(cwd, program);
  return program === '' || file.includes('${') || !path.isAbsolute(file) ? undefined : file;
}

async function firstPlaceOf(
  { workspace }: Pick<ToolServices, 'workspace'>,
  file: string,
): Promise<Place | undefined> {
  if (!/\.[cm]?[jt]sx?$/i.test(file)) return undefined;
  const source = await workspace.readSource(file);
  if (source === undefined) return undefined;
  const { firstExecuted } = await import(
    /* webpackChunkName: "javascript" */ './function/source/javascriptEntry.js'
  );
  const place = firstExecuted(source.lines.join('\n'), file);
  return place === undefined ? undefined : { path: file, ...place };
}
