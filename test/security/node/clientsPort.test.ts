import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { request } from 'node:http';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { TestWindows, type TestWindow } from '../../unit/support/mcpWindows';
import { hello, messagesOf, RunningServer, type Reply } from '../../unit/mcp/support/server';

const BRIDGE = path.resolve(__dirname, '../../../src/mcp/stdio/main.js');

/** JSON that is nested deeper than any real message. */
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const callOf = (tool: string, argument: string, value: string, id = 5): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${tool}","arguments":{"${argument}":${value}}}}`;

describe('the clients’ port', () => {
  let all: TestWindows;
  beforeEach(async () => {
    all = new TestWindows();
    await all.prepare();
  });
  afterEach(async () => await all.end());

  /** Sends one request on a separate connection, with the headers of the test. */
  async function say(
    query: string,
    headers: Readonly<Record<string, string>>,
    body: string,
  ): Promise<Reply> {
    return await new Promise((resolve, reject) => {
      const sent = {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...headers,
      };
      const outgoing = request(
        {
          host: '127.0.0.1',
          port: all.port,
          path: `/mcp${query}`,
          method: 'POST',
          headers: sent,
          agent: false,
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
          );
          response.on('error', reject);
        },
      );
      outgoing.on('error', reject).end(body);
    });
  }

  const keyed = async (of: TestWindow): Promise<Record<string, string>> => ({
    authorization: `Bearer ${await of.window.readKey()}`,
  });

  describe('headers between windows', () => {
    it('are ignored if a client sends them, for this window and for another', async () => {
      const one = await all.open('one');
      const two = await all.open('two');
      const forged = {
        'agent-debugger-session': '00000000-forged',
        'agent-debugger-purpose': 'chosen',
      };
      for (const [workspace, window] of [
        ['one', one],
        ['two', two],
      ] as const) {
        const reply = await say(
          `?workspace=${workspace}`,
          { ...(await keyed(one)), ...forged },
          JSON.stringify(hello()),
        );
        assert.equal(reply.status, 200, reply.body);
        assert.match(String(reply.headers['mcp-session-id']), new RegExp(`^${window.window.id}-`));
      }
    });
  });

  describe('a message that is nested too deeply', () => {
    const invalid = (reply: Reply): void => {
      const [message] = messagesOf(reply);
      assert.deepEqual(
        { id: message?.['id'], code: (message?.['error'] as { code?: number } | undefined)?.code },
        { id: 5, code: -32602 },
        JSON.stringify(reply).slice(0, 500),
      );
    };

    it('is answered with invalid params for each tool and window, and the session goes on', async () => {
      const one = await all.open('one');
      await all.open('two');
      const session = String(
        (await say('', await keyed(one), JSON.stringify(hello()))).headers['mcp-session-id'],
      );
      const ask = async (body: string): Promise<Reply> =>
        await say('', { ...(await keyed(one)), 'mcp-session-id': session }, body);
      invalid(await ask(callOf('select_window', 'window', nested(10_000))));
      assert.equal((await ask(callOf('select_window', 'window', '"two"'))).status, 200);
      for (const [tool, argument] of [
        ['select_window', 'window'],
        ['get_variables', 'x'],
        ['start_debugging', 'program'],
      ] as const) {
        invalid(await ask(callOf(tool, argument, nested(10_000))));
        invalid(
          await ask(callOf(tool, argument, '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000))),
        );
      }
      assert.match(
        (await ask(callOf('get_debugger_configurations', 'x', '1'))).body,
        /invalid_input/,
      );
    });

    it('is refused before a session exists, as a notification, in a batch, and at half a million levels', async () => {
      const one = await all.open('one');
      const ask = async (body: string): Promise<Reply> => await say('', await keyed(one), body);
      invalid(await ask(callOf('initialize', 'x', nested(200_000))));
      assert.equal(
        (await ask(`{"jsonrpc":"2.0","method":"notifications/x","params":{"a":${nested(10_000)}}}`))
          .status,
        400,
      );
      assert.equal((await ask(nested(500_000))).status, 400);
      const listed = await ask(
        `[${callOf('a', 'x', nested(10_000))},{"jsonrpc":"2.0","id":6,"method":"ping"}]`,
      );
      assert.match(listed.body, /-32602/);
    });

    it('is answered in the stream of a client that knows only the older transport', async () => {
      const server = await new RunningServer().start();
      try {
        const stream = await server.raw();
        stream.send(
          `GET /sse HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: ${server.authorization}\r\nAccept: text/event-stream\r\n\r\n`,
        );
        const [, endpoint] = await stream.until(/data: (\/messages\S+)/);
        const posted = await server.ask({
          path: endpoint ?? '',
          body: callOf('get_debug_state', 'x', nested(10_000)),
        });
        assert.equal(posted.status, 202, posted.body);
        const [, code, id] = await stream
          .until(/data: .*"code":(-\d+).*"id":(\d+)|data: .*"id":(\d+).*"code":(-\d+)/)
          .then((match) => [match[0], match[1] ?? match[4], match[2] ?? match[3]]);
        assert.deepEqual([code, id], ['-32602', '5']);
      } finally {
        await server.stop();
      }
    });

    it('is answered by the bridge, with and without a window', async () => {
      for (const isOpen of [false, true]) {
        if (isOpen) await all.open('one');
        const child = spawn(process.execPath, [BRIDGE], {
          cwd: all.root,
          env: { PATH: process.env['PATH'] ?? '', AGENT_DEBUGGER_HOME: all.home },
          stdio: ['pipe', 'pipe', 'inherit'],
        });
        const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
        const said = async (): Promise<{
          id?: unknown;
          error?: { code: number };
          result?: unknown;
        }> => JSON.parse(((await lines.next()) as { value: string }).value) as { id?: unknown };
        child.stdin.write(`${JSON.stringify(hello())}\n`);
        assert.equal((await said()).id, 1);
        child.stdin.write(`${callOf('select_window', 'window', nested(10_000))}\n`);
        const answer = await said();
        assert.deepEqual([answer.id, answer.error?.code], [5, -32602]);
        child.stdin.write('{"jsonrpc":"2.0","id":6,"method":"ping"}\n');
        assert.deepEqual(await said(), { jsonrpc: '2.0', id: 6, result: {} });
        child.stdin.end();
        await once(child, 'exit');
      }
    });
  });

  describe('the id of a session', () => {
    it('is refused with the prefix of another window, without a prefix, or with other unused bits', async () => {
      const one = await all.open('one');
      const two = await all.open('two');
      const begun = await say('', await keyed(one), JSON.stringify(hello()));
      const id = String(begun.headers['mcp-session-id']);
      const status = async (spelled: string): Promise<number> =>
        (
          await say(
            '',
            { ...(await keyed(one)), 'mcp-session-id': spelled },
            '{"jsonrpc":"2.0","id":2,"method":"ping"}',
          )
        ).status;
      assert.equal(await status(id), 200);
      const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
      const last = alphabet.indexOf(id.slice(-1));
      const others = [1, 2, 3].map((bits) => id.slice(0, -1) + (alphabet[last ^ bits] ?? ''));
      const issued = id.slice(one.window.id.length + 1);
      for (const spelled of [
        ...others,
        issued,
        `${two.window.id}-${issued}`,
        `00000000-${issued}`,
        `${one.window.id}-${id}`,
      ])
        assert.equal(await status(spelled), 404, spelled);
      assert.equal(await status(id), 200);
      one.window.dispose();
      await two.becomes('on');
      assert.equal(await status(id), 200, 'the id itself outlives its window');
      for (const spelled of [...others, issued, `${two.window.id}-${issued}`, `00000000-${issued}`])
        assert.equal(await status(spelled), 404, spelled);
    });
  });
});
