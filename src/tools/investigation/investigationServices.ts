import type { Recorder } from '../../investigation/captureRecorder';
import type { Captures } from '../../investigation/captures';
import type { Investigations } from '../../investigation/investigations';
import type { Reasoner } from '../../investigation/reasoning';
import type { ChunkRecord } from '../../investigation/record';
import type { CommandRunner, RunEnd } from '../../investigation/runs';
import type { Scrub } from '../../investigation/scrub';

/**
 * The services that the investigation tools use in addition to the debugger. They are created once, in
 * `editor/investigation`.
 */
export interface InvestigationServices {
  readonly investigations: Investigations;
  readonly captures: Captures;
  /**
   * Removes credentials and personal data from all text that leaves the machine. The person's settings do not change
   * this.
   */
  readonly outgoing: Scrub;
  /** Runs commands in a terminal if it has shell integration, otherwise in a child process. */
  readonly commands: CommandRunner;
  readonly browser: Browser;
  /** Returns the environment of a captured command: the variables of the allow list, and the variables of the call. */
  environment(added: Readonly<Record<string, string>>): Readonly<Record<string, string>>;
  /** The reasoner that the person has chosen in the settings. */
  readonly reasoner: ReasonerChoice;
  /** Asks the person in VS Code which chunks matter. Returns undefined if they did not answer. */
  choose(chunks: readonly ChunkRecord[], signal: AbortSignal): Promise<PersonsChoice | undefined>;
}

export interface PersonsChoice {
  readonly selectedIds: readonly string[];
  readonly notes?: string;
}

export interface ReasonerChoice {
  readonly kind: 'off' | 'vscode' | 'mcp' | 'command';
  /** Returns the reasoner for `vscode` and `command`, or undefined if there is none. */
  find(signal: AbortSignal): Promise<Reasoner | undefined>;
  /** The name on the confirmation card, which is shown before the reasoner is found. */
  readonly label: string;
}

/** A page to capture in a real browser. */
export interface PagePlan {
  readonly url: string;
  /** The folder with the source files of the page's scripts. */
  readonly webRoot: string | undefined;
  readonly hasScreenshots: boolean;
}

export interface Browser {
  /** Opens a page under the debugger and records it until the person closes it, or until `stop` is aborted. */
  capture(page: PagePlan, recorder: Recorder, stop: AbortSignal): Promise<RunEnd>;
}
