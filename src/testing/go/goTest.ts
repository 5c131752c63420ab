import path from 'node:path';
import { adapterOf } from '../../debugger/adapters/registry';
import { typeOfLanguage } from '../../tools/launch/programConfiguration';
import { defined } from '../../util/defined';
import type { TestFramework } from '../testFramework';
import { goBuild, PROGRAM } from './goBuild';
import { goPattern, namedInGo } from './goNames';
import { goObserver } from './goObserver';
import { ownLines } from './goReport';
import { goOptions } from './goSettings';
import { scanPackage } from './scanGo';

export const goTest: TestFramework = {
  id: 'go_test',
  title: 'go test',
  files: /_test\.go$/,
  markers: ['go.mod'],
  evidence: 'a file whose name ends with _test.go',
  detect: () => 10,
  list: scanPackage,
  named: (name, scanned, { text }) => namedInGo(name, scanned, text),
  configuration: async ({ project, test, args, scratch }) => {
    const type = typeOfLanguage(project.services, 'go', project.file);
    const options = goOptions(project, args);
    const program = path.join(scratch, PROGRAM);
    const { env, envFile } = options;
    return {
      configuration: {
        type,
        ...adapterOf(type).testProperties,
        mode: 'exec',
        program,
        // As `go test` does. A test may read files next to it.
        cwd: path.dirname(project.file),
        args: [
          ...['-test.run', goPattern(test), '-test.count=1', '-test.timeout=0'],
          ...options.program,
        ],
        ...defined({ env: Object.keys(env).length === 0 ? undefined : env, envFile }),
      },
      files: {},
      report: 'none',
      build: goBuild(project, options, program),
      ...(options.dropped.length > 0 && { droppedOptions: options.dropped }),
    };
  },
  observer: goObserver,
  ownOutput: ownLines,
  readOutcome: () => ({ tests: [] }),
};
