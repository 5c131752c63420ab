import { Captures } from '../../../src/investigation/captures';
import { Investigations } from '../../../src/investigation/investigations';
import type { CommandRunner } from '../../../src/investigation/runs';
import { scrubWith } from '../../../src/investigation/scrub';
import { Redactor } from '../../../src/results/redact';
import type {
  InvestigationServices,
  ReasonerChoice,
} from '../../../src/tools/investigation/investigationServices';
import { MemoryFiles } from './memoryFiles';

export type FakeInvestigation = {
  -readonly [Key in keyof InvestigationServices]: InvestigationServices[Key];
} & {
  readonly memory: MemoryFiles;
};

/** The services for the tools of an investigation, with files in memory and scripted commands. */
export function fakeInvestigation(redactor: Redactor): FakeInvestigation {
  const memory = new MemoryFiles();
  const investigations = new Investigations(
    memory,
    scrubWith(redactor, () => true),
    { timeToLiveDays: () => 7 },
  );
  return {
    memory,
    investigations,
    captures: new Captures(investigations),
    outgoing: scrubWith(new Redactor(() => ({ enabled: true, patterns: [] })), () => true),
    commands: printing(() => ''),
    browser: { capture: () => Promise.reject(new Error('there is no browser')) },
    environment: (added) => added,
    reasoner: OFF,
    choose: () => Promise.resolve(undefined),
  };
}

const OFF: ReasonerChoice = { kind: 'off', label: '', find: () => Promise.resolve(undefined) };

/** A command that prints the output for its command line, and ends with an exit code. */
export function printing(output: (line: string) => string, exitCode = 0): CommandRunner {
  return {
    run: async ({ text }, sink) => {
      await sink('stdout', output(text));
      return { via: 'child_process', endedBy: 'exit', exitCode };
    },
  };
}
