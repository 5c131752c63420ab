import type { LiveProgram } from './liveProgram';

const node = (file: string, program: Omit<LiveProgram, 'language' | 'file'>): LiveProgram => ({
  language: 'Node',
  file: `node/${file}.js`,
  ...program,
});

/** How long a request may take before it counts as one that is not answered. */
const PATIENCE = 5;

export const NODE_PROGRAMS: readonly LiveProgram[] = [
  // The price stays the old one after a change.
  node('prices', {
    title: 'stale cache of a server',
    // The key that is in the cache, and that the other one is not.
    shows: () => /pump:eur[^]*false|false[^]*pump:eur/,
    byTools: async (agent) => {
      agent.read();
      const url = agent.urlOf('/pump');
      await agent.tell('collect_values', {
        ...agent.server(),
        trigger: {
          command: 'sh',
          args: ['-c', `curl -s ${url}; curl -s -X PUT '${url}?amount=4900'; curl -s ${url}`],
          after: '^listening',
        },
        // A command that succeeds does not end a collection, and there is one change.
        max_hits: 1,
        probes: [
          {
            file_path: agent.file,
            line: agent.line('cause'),
            expressions: ['article', 'cache.has(article)', '[...cache.keys()].join()'],
          },
        ],
      });
    },
    byShell: async (agent) => {
      agent.read();
      agent.edit(
        '  cache.delete(article);',
        '  console.log(article, cache.has(article), [...cache.keys()]);\n  cache.delete(article);',
      );
      const url = agent.urlOf('/pump');
      const change = agent.urlOf('/pump?amount=4900');
      await agent.serve(`curl -s ${url}; curl -s -X PUT ${change}; curl -s ${url}`);
      await agent.undo();
    },
  }),
  // The memory of the server grows with each request.
  node('ticker', {
    title: 'leak by a listener',
    // All visits of 50 requests are held by the event.
    shows: () => /\btick\b[^]*\b50\b|\b50\b[^]*\btick\b/,
    byTools: async (agent) => {
      const url = agent.urlOf('/[1-25]');
      const args = ['-s', '-o', '/dev/null', url];
      const trigger = { command: 'curl', args, after: '^listening' };
      await agent.tell('compare_heap', { ...agent.server(), trigger });
    },
    byShell: async (agent) => {
      agent.read();
      agent.edit(
        "  feed.on('tick', update);",
        "  feed.on('tick', update);\n  console.log('tick', feed.listenerCount('tick'));",
      );
      await agent.serve(`curl -s -o /dev/null ${agent.urlOf('/[1-50]')}`, 3);
      await agent.undo();
    },
  }),
  // After a request for the plan of a hall, the server answers nothing any more.
  node('plan', {
    title: 'busy event loop',
    // The loop adds 0.
    shows: () => /\bsize\b.{1,20}\b0\b/,
    byTools: async (agent) => {
      const trigger = agent.get('/north');
      await agent.tell('explain_hang', {
        ...{ ...agent.server(), trigger, wait_seconds: PATIENCE },
      });
    },
    byShell: async (agent) => {
      agent.read();
      agent.edit(
        '  let pages = 0;',
        "  console.log('pagesOf', { total, size });\n  let pages = 0;",
      );
      await agent.serve(`curl -s -m ${PATIENCE} ${agent.urlOf('/north')}`);
      await agent.undo();
    },
  }),
  // A customer is always told to try again later.
  node('checkout', {
    title: 'swallowed exception',
    shows: () => /Cannot destructure property 'zone'/,
    byTools: async (agent) => {
      const trigger = agent.get('/?customer=19');
      await agent.tell('collect_values', { ...agent.server(), trigger, exceptions: true });
    },
    byShell: async (agent) => {
      agent.read();
      agent.edit('  } catch {\n', '  } catch (error) {\n    console.error(error);\n');
      await agent.serve(`curl -s ${agent.urlOf('/?customer=19')}`);
      await agent.undo();
    },
  }),
];
