import { strict as assert } from 'node:assert';
import { foldFrames, isFolded } from '../../../../src/debugger/inspection/foldedFrames';
import { framesOf } from '../../../../src/debugger/inspection/stackAndVariables';

const isOwn = (file: string): boolean => file.startsWith('/app/') && !file.includes('node_modules');

/** Frames given as `file`, `name#file` or `name#file:line`. */
const stack = (...frames: string[]) =>
  framesOf(
    frames.map((each, id) => {
      const [, name = 'f', file = '', line = String(id + 1)] =
        /^(?:([^#]*)#)?([^:]*)(?::(\d+))?$/.exec(each) ?? [];
      return {
        id,
        name,
        line: Number(line),
        column: 1,
        ...(file === 'label' ? { presentationHint: 'label' } : { source: { path: file } }),
      };
    }),
  );

const shown = (start: number, ...frames: string[]): string[] =>
  foldFrames(stack(...frames), isOwn, start).map((each) =>
    isFolded(each) ? `${each.title} from ${each.start}` : (each.path ?? each.name),
  );

describe('folded stacks', () => {
  const VITEST = '/app/node_modules/vitest/dist/run.js';

  it('fold consecutive frames of libraries between the person’s own frames, and name the package', () => {
    assert.deepEqual(shown(0, '/app/a.js', VITEST, VITEST, VITEST, '/app/b.js', VITEST), [
      '/app/a.js',
      '3 frames of vitest from 1',
      '/app/b.js',
      VITEST,
    ]);
  });

  it('keep the frame that the program is in, and fold the others before the person’s own', () => {
    assert.deepEqual(shown(0, '/lib/x.js', VITEST, VITEST, '/app/a.js'), [
      '/lib/x.js',
      '2 frames of vitest from 1',
      '/app/a.js',
    ]);
    assert.deepEqual(
      shown(20, VITEST, VITEST, '/app/a.js'),
      ['2 frames of vitest from 20', '/app/a.js'],
      'a later page has no such frame',
    );
  });

  it('fold nothing if the stack has no frame of the person’s own', () => {
    assert.equal(shown(0, VITEST, VITEST, VITEST).length, 3);
  });

  it('fold equal frames of a recursion', () => {
    const fact = Array.from({ length: 38 }, () => 'fact#/app/a.js:4');
    assert.deepEqual(shown(0, 'fact#/app/a.js:3', ...fact, '/app/main.js'), [
      '/app/a.js',
      '/app/a.js',
      '37 more of fact from 2',
      '/app/main.js',
    ]);
    assert.deepEqual(
      shown(0, 'a#/app/a.js:3', 'a#/app/a.js:3', 'b#/app/a.js:3'),
      ['/app/a.js', '/app/a.js', '/app/a.js'],
      'two are shown',
    );
  });

  it('name the owner of the code in each language', () => {
    for (const [file, owner] of [
      ['/app/node_modules/@scope/pack/a.js', '@scope/pack'],
      ['/app/node_modules/.pnpm/vitest@1.0.0/node_modules/vitest/a.js', 'vitest'],
      ['/app/node_modules/outer/node_modules/inner/a.js', 'inner'],
      ['C:\\app\\node_modules\\mocha\\lib\\run.js', 'mocha'],
      ['<node_internals>/internal/modules/cjs/loader', 'Node'],
      ['/usr/lib/python3/dist-packages/_pytest/python.py', '_pytest'],
      ['/home/ada/.venv/lib/python3.12/site-packages/flask/app.py', 'flask'],
      ['/usr/lib/python3.11/unittest/case.py', 'unittest'],
      ['/usr/lib/python3.11/runpy.py', 'runpy'],
      [
        '/home/ada/go/pkg/mod/github.com/gin-gonic/gin@v1.9.1/context.go',
        'github.com/gin-gonic/gin',
      ],
      ['/usr/lib/go-1.19/src/runtime/proc.go', 'runtime'],
      ['/build/libc-start.c', 'libc-start.c'],
    ])
      assert.deepEqual(
        shown(0, '/app/a.js', String(file).replace('C:', ''), String(file).replace('C:', '')),
        ['/app/a.js', `2 frames of ${owner} from 1`],
        file,
      );
    assert.deepEqual(
      shown(
        0,
        '/app/a.java',
        'java.util.stream.ReferencePipeline.forEach()#',
        'java.util.stream.Streams.x()#',
      )[1],
      '2 frames of java.util.stream from 1',
    );
    assert.equal(
      shown(0, '/app/a.js', VITEST, VITEST, '/app/node_modules/chai/a.js')[1],
      '3 frames of vitest and chai from 1',
    );
  });
});
