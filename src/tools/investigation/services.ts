import type { Captures, Recorder } from '../../investigation/captures';
import type { Investigations } from '../../investigation/investigations';
import type { Reasoner } from '../../investigation/reasoning';
import type { ChunkRecord } from '../../investigation/record';
import type { CommandRunner, RunEnd } from '../../investigation/runs';
import type { Scrub } from '../../investigation/scrub';

/** What the tools of an investigation work with beside the debugger; made once, in `editor/investigation`. */
export interface InvestigationServices {
  readonly investigations: Investigations;
  readonly captures: Captures;
  /** Takes credentials and personal data out of what leaves the machine, whatever the person has set. */
  readonly outgoing: Scrub;
  /** A terminal with shell integration where there is one; else a child process. */
  readonly commands: CommandRunner;
  readonly browser: Browser;
  /** The environment of a captured command: what the allow list lets through, and what the call adds. */
  environment(added: Readonly<Record<string, string>>): Readonly<Record<string, string>>;
  /** What the person has chosen in the settings. */
  readonly reasoner: ReasonerChoice;
  /** Asks the person in VS Code which chunks matter; undefined if they did not answer. */
  choose(chunks: readonly ChunkRecord[], signal: AbortSignal): Promise<PersonsChoice | undefined>;
}

export interface PersonsChoice {
  readonly selectedIds: readonly string[];
  readonly notes?: string;
}

export interface ReasonerChoice {
  readonly kind: 'off' | 'vscode' | 'mcp' | 'command';
  /** What is asked with, for `vscode` and `command`; undefined where there is none. */
  find(signal: AbortSignal): Promise<Reasoner | undefined>;
  /** What a card names before the reasoner is found. */
  readonly label: string;
}

/** A page to be captured in a real browser. */
export interface PagePlan {
  readonly url: string;
  /** The folder whose files the page's scripts are. */
  readonly webRoot: string | undefined;
  readonly hasScreenshots: boolean;
}

export interface Browser {
  /** Opens a page under the debugger and records it until the person closes it, or until `stop` is aborted. */
  capture(page: PagePlan, recorder: Recorder, stop: AbortSignal): Promise<RunEnd>;
}
