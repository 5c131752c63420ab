import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { Failure } from '../../results/failure';
import type { TestBuild, TestProject } from '../testFramework';
import type { GoOptions } from './goSettings';

/** The maximum number of lines of a failed build that are reported. */
const MAX_LINES = 30;

/** The name of the test program in the scratch folder. */
export const PROGRAM = process.platform === 'win32' ? 'test.exe' : 'test';

/** Returns the build of a package's test program, with what a debugger needs. */
export function goBuild(
  { services, file }: TestProject,
  { build, tags, buildEnv }: GoOptions,
  program: string,
): TestBuild {
  const folder = path.dirname(file);
  const shown = [...(tags.length === 0 ? [] : [`-tags=${tags.join(',')}`]), ...build];
  const args = [
    'test',
    '-c',
    '-o',
    program,
    '-gcflags=all=-N -l',
    '-trimpath=false',
    ...shown,
    '.',
  ];
  return {
    command: ['go', 'test', '-c', ...shown].join(' '),
    folder,
    runsScripts: false,
    run: async (signal) => {
      // Without PWD, Go would resolve links in the folder, and breakpoints would not be found in the program.
      const end = await services.go.run(args, folder, signal, { ...buildEnv, PWD: folder });
      if (end === undefined)
        throw new Failure(
          'runner_not_installed',
          l10n.t('{0} is not on the PATH of VS Code.', 'go'),
          'Let the person install Go, or start VS Code where go is found.',
          { package: 'go' },
        );
      const lines = `${end.stdout}\n${end.stderr}`.split(/\r?\n/).filter((line) => line !== '');
      const isBuilt = end.exitCode === 0 && !lines.some((line) => line.includes('[no test files]'));
      if (!isBuilt) throw notBuilt(lines);
      return {};
    },
  };
}

function notBuilt(lines: readonly string[]): Failure {
  // Lines with `#` name the package.
  const errors = lines.filter((line) => !/^(?:# |go: downloading |FAIL\b)/.test(line));
  return new Failure(
    'build_failed',
    l10n.t('The test cannot be built: {0}', errors[0] ?? lines[0] ?? ''),
    'Fix the errors in output, then call again.',
    { output: lines.slice(0, MAX_LINES) },
  );
}
