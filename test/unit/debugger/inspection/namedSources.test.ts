import { strict as assert } from 'node:assert';
import { DebugModel } from '../../../../src/debugger/state/debugModel';
import { NamedSources } from '../../../../src/debugger/inspection/namedSources';
import {
  answered,
  asked,
  created,
  ended,
  launched,
  sessionOf,
  eventOf,
} from '../../support/events';

describe('sources that adapters have named', () => {
  const links = new Map<string, string>();
  const naming = (): { model: DebugModel; named: NamedSources; looked: string[] } => {
    links.clear();
    const looked: string[] = [];
    const model = new DebugModel();
    const named = new NamedSources(model, (file) => {
      looked.push(file);
      return Promise.resolve(links.get(file) ?? file);
    });
    model.observe((event) => named.observe(event), named.observes);
    for (const event of launched('a')) model.dispatch(event);
    return { model, named, looked };
  };
  const stack = (model: DebugModel, ...paths: unknown[]): void => {
    model.dispatch(asked(50, 'stackTrace', { threadId: 1 }));
    model.dispatch(
      answered(50, 'stackTrace', {
        stackFrames: paths.map((path, id) => ({
          id,
          name: 'f',
          line: 1,
          column: 1,
          source: { path },
        })),
      }),
    );
  };

  it('include those of frames and those that were loaded, as long as the session lives', async () => {
    const { model, named } = naming();
    stack(model, '/lib/frame.js', 'vscode-remote://host/lib/remote.js', undefined, 'name.js');
    model.dispatch(eventOf('loadedSource', { reason: 'new', source: { path: '/lib/loaded.js' } }));
    model.dispatch(asked(51, 'loadedSources', {}));
    model.dispatch(answered(51, 'loadedSources', { sources: [{ path: '/lib/listed.js' }, 7] }));
    const files = [
      '/lib/frame.js',
      '/lib/remote.js',
      '/lib/loaded.js',
      '/lib/listed.js',
      '/lib/other.js',
    ];
    const known = async (): Promise<boolean[]> =>
      await Promise.all(files.map((file) => named.has(file)));
    assert.deepEqual(await known(), [true, true, true, true, false]);
    const inSession = (): boolean[] =>
      files.map((file) => named.isNamedIn([sessionOf(model.state)], file));
    model.dispatch(ended('a'));
    assert.deepEqual(await known(), [false, false, false, false, false]);
    assert.deepEqual(inSession(), [true, true, true, true, false], 'what its run named is known');
    // A restart keeps the key. Sources that the previous run named grant no access now.
    for (const event of launched('a')) model.dispatch(event);
    assert.deepEqual(await known(), [false, false, false, false, false]);
    assert.deepEqual(inSession(), [false, false, false, false, false]);
  });

  it('include the target that a link had when it was named, and not its later target', async () => {
    const { model, named } = naming();
    links.set('/app/link.js', '/lib/real.js');
    stack(model, '/app/link.js');
    assert.equal(await named.has('/lib/real.js'), true);
    links.set('/app/link.js', '/etc/passwd');
    stack(model, '/app/link.js');
    assert.deepEqual(
      [await named.has('/etc/passwd'), await named.has('/lib/real.js')],
      [false, true],
    );
  });

  it('do not include sources of requests, of refused responses, or without a valid path', async () => {
    const { model, named, looked } = naming();
    model.dispatch({
      type: 'toAdapter',
      key: 'a',
      at: 0,
      message: {
        seq: 60,
        type: 'request',
        command: 'stackTrace',
        arguments: { source: { path: '/lib/x.js' } },
      },
    });
    model.dispatch({
      type: 'fromAdapter',
      key: 'a',
      at: 0,
      message: {
        seq: 61,
        type: 'response',
        request_seq: 60,
        command: 'stackTrace',
        success: false,
        body: { stackFrames: [{ id: 1, source: { path: '/lib/x.js' } }] },
      },
    });
    stack(model, 'x'.repeat(5000), 7, null, '<eval>/VM12', 'http://localhost/x.js');
    assert.deepEqual([await named.has('/lib/x.js'), looked], [false, []]);
  });

  it('are still known after VS Code reports the session again', async () => {
    const { model, named } = naming();
    stack(model, '/lib/frame.js');
    model.dispatch(created('a', { knowledge: 'partial' }));
    assert.equal(await named.has('/lib/frame.js'), true);
  });

  it('are forgotten with their session', () => {
    const { model, named } = naming();
    stack(model, '/lib/frame.js');
    const session = sessionOf(model.state);
    model.dispatch(ended('a'));
    for (let each = 0; each < 30; each += 1) {
      model.dispatch(created(`short ${each}`));
      model.dispatch(ended(`short ${each}`));
    }
    assert.equal(model.state.sessions.has('a'), false);
    assert.equal(named.isNamedIn([session], '/lib/frame.js'), false);
  });

  it('are shared by several sessions if one of them named the source', () => {
    const { model, named } = naming();
    for (const event of launched('b')) model.dispatch(event);
    stack(model, '/lib/frame.js');
    const both = ['b', 'a'].map((key) => sessionOf(model.state, key));
    assert.equal(named.isNamedIn(both, '/lib/frame.js'), true);
    assert.equal(named.isNamedIn(both.slice(0, 1), '/lib/frame.js'), false);
  });

  it('are limited, whatever an adapter names', async () => {
    const { model, named, looked } = naming();
    const paths = (length: number): string[] =>
      Array.from({ length }, (_, index) => `/lib/${index}.js`);
    stack(model, ...paths(5001));
    assert.deepEqual(
      [await named.has('/lib/4999.js'), await named.has('/lib/5000.js'), looked.length],
      [true, false, 5000],
    );
    model.dispatch(asked(51, 'loadedSources', {}));
    model.dispatch(
      answered(51, 'loadedSources', {
        sources: paths(20_001).map((path) => ({ path: `/loaded${path}` })),
      }),
    );
    assert.deepEqual(
      [await named.has('/loaded/lib/19999.js'), await named.has('/loaded/lib/20000.js')],
      [true, false],
    );
    const long = `/${'x'.repeat(4096)}`;
    model.dispatch(eventOf('loadedSource', { source: { path: long } }));
    stack(model, long);
    assert.deepEqual([await named.has(long), looked.length], [false, 5000]);
  });

  it('are taken only from responses about sources', async () => {
    const { model, named } = naming();
    const body = {
      stackFrames: [{ id: 1, source: { path: '/lib/x.js' } }],
      sources: [{ path: '/lib/x.js' }],
    };
    for (const command of ['scopes', 'modules']) {
      model.dispatch(asked(70, command, {}));
      model.dispatch(answered(70, command, body));
      named.observe(answered(70, command, body));
    }
    named.observe(eventOf('module', { source: { path: '/lib/x.js' } }));
    named.observe(asked(71, 'loadedSource', { source: { path: '/lib/x.js' } }));
    assert.equal(await named.has('/lib/x.js'), false);
  });
});
