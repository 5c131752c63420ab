import path from 'node:path';
import type { Fields } from '../../debugger/protocol';
import { typeOfLanguage } from '../../tools/launch/programConfiguration';
import { nameOf } from '../chooseTest';
import { REPORT } from '../javascript/reporters';
import { readOwnReport } from '../report/readReport';
import type {
  ChosenTest,
  RunnerContext,
  RunnerPlan,
  TestFramework,
  TestProject,
} from '../testFramework';
import { scanRuby } from './scanRuby';

/** The file in the scratch folder with what our runner needs. */
const RUN = 'run.txt';
/** The type of Ruby LSP, which takes one command line instead of a script. Its parts must not have spaces. */
const RUBY_LSP = 'ruby_lsp';

const RUBY = {
  files: /\.rb$/,
  markers: ['Gemfile', 'gems.rb', '.rspec', 'Rakefile'],
  list: scanRuby,
  readOutcome: readOwnReport,
  runsOnce: true,
} satisfies Partial<TestFramework>;

const MINITEST = /\b(?:Minitest::|ActiveSupport::TestCase|ActionDispatch::|minitest\/|test_helper)/;
const RSPEC = /\bRSpec\b|\b(?:spec_helper|rails_helper)\b/;

export const minitest: TestFramework = {
  ...RUBY,
  id: 'minitest',
  title: 'minitest',
  evidence:
    'Minitest, ActiveSupport::TestCase or test_helper in the file, or a name that ends with _test.rb',
  detect: ({ text, file }) => {
    if (MINITEST.test(text)) return 10;
    return /(?:^test_[^/\\]*|_test)\.rb$/.test(path.basename(file)) ? 6 : 0;
  },
  configuration: (context) =>
    rubyRun(context, 'minitest', ['-n', `/${filterOf(context.test)}/`, ...context.args]),
};

export const rspec: TestFramework = {
  ...RUBY,
  id: 'rspec',
  title: 'RSpec',
  evidence: 'RSpec, spec_helper or rails_helper in the file, or a name that ends with _spec.rb',
  detect: ({ text, file }) => {
    if (RSPEC.test(text)) return 9;
    return file.endsWith('_spec.rb') ? 8 : 0;
  },
  configuration: (context) =>
    rubyRun(context, 'rspec', [...selectionOf(context.test, context.project), ...context.args]),
};

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

/** Returns the pattern of names as minitest has them: `Class#test_name`, or `group::inner#test_0001_name`. */
function filterOf({ path: names, line, isTemplate }: ChosenTest): string {
  const [leaf = ''] = names.slice(-1);
  const parts = (text: string): string =>
    isTemplate
      ? text
          .split(/#\{[^}]{0,100}\}/)
          .map(escaped)
          .join('.*')
      : escaped(text);
  // `test "adds it"` of Rails is the method `test_adds_it`.
  const method = `(?:test_\\d+_)?(?:${parts(leaf)}|test_${parts(leaf.replace(/\s+/g, '_'))})`;
  if (line === undefined || names.length < 2) return `(?:^|::|#)${method}$`;
  const groups = parts(names.slice(0, -1).join('::'));
  return `^${groups}#${method}$`;
}

/** Returns the arguments that select an example: its place, or its full description. */
function selectionOf(test: ChosenTest, { file }: TestProject): readonly string[] {
  if (test.line !== undefined) return [`${file}:${test.line}`];
  const name = nameOf(test);
  // As RSpec prints failures: `./spec/cart_spec.rb:8`, `./spec/cart_spec.rb[1:2]`.
  const place = /^(?:rspec )?(?:\.\/)?\S+\.rb(:\d+|\[[\d:]+\])/.exec(name)?.[1];
  if (place !== undefined) return [`${file}${place}`];
  return [file, '--example-matches', `(?:^|\\s)${escaped(name)}$`];
}

/** Creates the plan of a run by the installed debugger for Ruby. */
async function rubyRun(
  { project, scratch }: RunnerContext,
  kind: string,
  args: readonly string[],
): Promise<RunnerPlan> {
  const { services, file, folder } = project;
  const type = typeOfLanguage(services, 'ruby', file);
  const script = path.join(services.reporters, 'ruby', 'run.rb');
  const env = {
    AGENT_DEBUGGER_REQUESTED: path.join(scratch, RUN),
    AGENT_DEBUGGER_REPORT: path.join(scratch, REPORT),
  };
  const hasGemfile = (await services.workspace.exists(path.join(folder, 'Gemfile'))) === true;
  const start: Fields =
    type === RUBY_LSP
      ? { program: `ruby ${script}` }
      : { command: 'ruby', script, args: [], useBundler: hasGemfile, askParameters: false };
  return {
    configuration: { type, ...start, env },
    quick: { env: { ...env, AGENT_DEBUGGER_VALUES: '1' } },
    files: { [RUN]: [kind, file, ...args].map(encodeURIComponent).join('\n') },
    report: REPORT,
  };
}
