import * as l10n from '@vscode/l10n';
import { adapterOf } from '../../debugger/adapters/registry';
import { Failure } from '../../results/failure';
import { typeOfLanguage } from '../../tools/launch/programConfiguration';
import { nativeRecorder } from '../native/recorder';
import { testAtLine } from '../native/namedLine';
import type { ChosenTest, RunnerContext, RunnerPlan, TestFramework } from '../testFramework';
import { buildArguments, builtPrograms } from './cargoBuild';
import { lookupOf } from './cargoLookup';
import { isDoctest, namedTest, type RustProgram } from './cargoNames';
import { ownOutput, readOutcome } from './cargoOutput';
import { scanRust, testFacts } from './scanRust';

export const cargoTest: TestFramework = {
  id: 'cargo_test',
  title: 'cargo test',
  files: /\.rs$/,
  markers: ['Cargo.toml'],
  evidence: 'a Cargo.toml, and #[test] in the file',
  detect: ({ text }) => (/#\[(?:\w+::)*(?:test|rstest|test_case|quickcheck)\b/.test(text) ? 10 : 1),
  list: scanRust,
  named: namedTest,
  atLine: testAtLine,
  configuration,
  // A function of the Rust runtime. It is called after the hook that prints the message.
  failsIn: 'rust_panic',
  ownOutput,
  readOutcome,
};

function configuration({ project, test, args, scratch }: RunnerContext): Promise<RunnerPlan> {
  if (isDoctest(test.path.join('::'))) throw doctest(test);
  const type = typeOfLanguage(project.services, 'native', project.file);
  const { options, own } = split(args);
  const argsOf = (names: readonly string[]): readonly string[] => [
    ...names,
    ...['--exact', '--nocapture', '--color', 'never'],
    ...own,
  ];
  const build = buildArguments(options);
  let programs: readonly RustProgram[] = [];
  return Promise.resolve({
    configuration: {
      type,
      ...adapterOf(type).testProperties,
      args: argsOf([test.path.join('::')]),
    },
    files: {},
    report: 'none',
    build: {
      command: ['cargo', ...build].join(' '),
      folder: project.folder,
      run: async (signal, progress) => {
        programs = await builtPrograms(project, build, signal, progress);
        return { program: programs[0]?.program, cwd: project.folder };
      },
    },
    lookup: lookupOf({ project, test, programs: () => programs, argsOf }),
    recorder: nativeRecorder(project.services, type, scratch, (chosen) => {
      const name = chosen.path.at(-1)?.split('::').at(-1) ?? '';
      const { returns, mayExpectPanic } = testFacts(project.text, name, chosen.line);
      const tests = [chosen.path.join('::')];
      return { kind: 'cargo_test', tests, returns, isCertain: !mayExpectPanic };
    }),
  });
}

/** Splits arguments as those of `cargo test`: options of Cargo before `--`, and those of the test program after it. */
function split(args: readonly string[]): {
  readonly options: readonly string[];
  readonly own: readonly string[];
} {
  const at = args.indexOf('--');
  return at < 0
    ? { options: [], own: args }
    : { options: args.slice(0, at), own: args.slice(at + 1) };
}

function doctest({ path: names }: ChosenTest): Failure {
  return new Failure(
    'not_supported',
    l10n.t('{0} is an example in a comment, which cannot be debugged.', names.join('::')),
    'rustdoc compiles each example to a program of its own, and removes it. Copy the example to a #[test] function, and pass that.',
  );
}
