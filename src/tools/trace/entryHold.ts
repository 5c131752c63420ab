import path from 'node:path';
import type { TemporaryBreakpoint } from '../../control/temporaryBreakpoints';
import { adapterOf } from '../../debugger/adapters/registry';
import type { Frame } from '../../debugger/inspection/stackAndVariables';
import { textOf, type Fields } from '../../debugger/protocol';
import { samePath } from '../../debugger/sourcePath';
import type { SessionState, StopState } from '../../debugger/state/state';
import { inThread } from '../../syntax/reading';
import type { PlannedLaunch } from '../launch/launchPlan';
import { replaceVariables } from '../templates';
import type { ToolServices } from '../services';
import type { firstExecuted } from './function/source/javascriptEntry';
import type { Reach } from './reach';

interface Place {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

type Services = Pick<ToolServices, 'breakpoints' | 'control' | 'workspace'>;

/**
 * Stops a program that the call starts at the first statement of files, if the debugger may set breakpoints late
 * (js-debug). VS Code sends these breakpoints before it sends `configurationDone`, so that they are set in time. The
 * breakpoints of a call that VS Code does not know (`InjectedBreakpoints`) may be answered later.
 *
 * The setting `stopOnEntry` is not suitable. With it, js-debug stops at the first place in the file at which V8 can
 * stop, which may be in a function. Then each call of that function stops, and breakpoints that are hit there are not
 * reported. So `stopOnEntry` is switched off.
 */
export class EntryHold {
  private temporary: readonly TemporaryBreakpoint[] = [];
  private ids: ReadonlySet<number> = new Set();

  private constructor(
    private readonly services: Services,
    /** The way in which the program is started. */
    readonly reach: Reach,
    private readonly places: readonly Place[],
  ) {}

  /** Holds no program. */
  static none(services: Services, reach: Reach): EntryHold {
    return new EntryHold(services, reach, []);
  }

  /**
   * @param files the files to hold at, each time that the program loads one of them. If one of them has no place to
   * hold at, or if there are none, the program is held at its script.
   */
  static async of(
    services: Services,
    reach: Reach,
    type: string,
    files: readonly string[] = [],
  ): Promise<EntryHold> {
    if (reach.kind === 'session' || adapterOf(type).setsBreakpointsLate !== true)
      return new EntryHold(services, reach, []);
    const launches = reach.plan.launches.map(withoutStopOnEntry);
    const held = { ...reach, plan: { ...reach.plan, launches } };
    return new EntryHold(services, held, await placesOf(services, held, files));
  }

  /** Sets the breakpoints. If another breakpoint is at a place, the program is not stopped there. */
  set(): void {
    const { breakpoints, control } = this.services;
    this.temporary = this.places
      .filter(({ path: file, line }) => breakpoints.at(file, line).length === 0)
      .map((place) => control.temporary.add({ kind: 'source', ...place }));
    this.ids = new Set(this.temporary.map(({ breakpoint }) => breakpoints.idOf(breakpoint)));
  }

  get isSet(): boolean {
    return this.temporary.length > 0;
  }

  /** Whether a program was stopped by these breakpoints, or is at its entry for another reason. */
  isAt(session: SessionState, stop: StopState, top: Frame | undefined): boolean {
    if (stop.reason === 'entry') return true;
    if (!this.isSet || !stop.reason.includes('breakpoint')) return false;
    const hit = this.services.breakpoints.hit(session, stop, top);
    return hit !== null && hit.every((id) => this.ids.has(id));
  }

  dispose(): void {
    for (const breakpoint of this.temporary) breakpoint.dispose();
    this.temporary = [];
  }
}

async function placesOf(
  services: Services,
  { plan, test }: Extract<Reach, { readonly kind: 'launch' }>,
  files: readonly string[],
): Promise<readonly Place[]> {
  const [launch] = plan.launches;
  // The files of an attached program are loaded already.
  if (launch === undefined || launch.configuration['request'] === 'attach') return [];
  const inFiles = await Promise.all(files.map((file) => firstPlaceOf(services, file)));
  const places = inFiles.filter((place) => place !== undefined);
  // The program of a test may be its runner, whose script is not the person's.
  if (test !== undefined || (files.length > 0 && places.length === files.length)) return places;
  const script = scriptOf(launch.configuration, launch.folderPath);
  if (script === undefined || files.some((file) => samePath(file, script))) return places;
  const inScript = await firstPlaceOf(services, script);
  return inScript === undefined ? places : [...places, inScript];
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
  const text = source.lines.join('\n');
  const place = await inThread<typeof firstExecuted>('firstExecuted', text, file);
  return place === undefined ? undefined : { path: file, ...place };
}
