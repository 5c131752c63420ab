import { strict as assert } from 'node:assert';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { printing } from '../../support/investigation';
import { bench, type Bench } from '../../support/services';
import { RunningServer } from '../support/server';

const ANSWER = {
  analysis: 'cells is filled too late',
  solutions: [{ rationale: 'r', approach: 'a', confidence: 0.5 }],
};

describe('an investigation over MCP', () => {
  let on: Bench;
  let server: RunningServer;
  beforeEach(async () => {
    on = bench();
    on.investigation.commands = printing(() => 'TypeError: cells is undefined\n', 1);
    server = await new RunningServer(on).start();
    server.exposed.use(['core', 'investigation']);
  });
  afterEach(async () => await server.stop());

  const call = async (
    client: Client,
    name: string,
    input: object,
  ): Promise<Record<string, unknown>> =>
    (await client.callTool({ name, arguments: { ...input } })).structuredContent as Record<
      string,
      unknown
    >;

  async function analysed(client: Client): Promise<string> {
    const { sid } = await call(client, 'start_session', { title: 'The board stays empty' });
    await call(client, 'capture_run', { sid, command: 'npm start' });
    await call(client, 'analyze_capture', { sid });
    return String(sid);
  }

  it('serves the files as resources, with their types and the requested lines', async () => {
    const client = await server.connect();
    const sid = await analysed(client);
    const { resources } = await client.listResources();
    const mine = resources.filter(({ uri }) => uri.startsWith(`vdt://sessions/${sid}/`));
    assert.deepEqual(
      mine.map(({ uri, mimeType }) => [uri.split('/').slice(4).join('/'), mimeType]).sort(),
      [
        ['analysis/buglens.md', 'text/markdown'],
        ['logs/capture.ndjson', 'application/x-ndjson'],
        ['meta.json', 'application/json'],
      ],
    );
    const templates = (await client.listResourceTemplates()).resourceTemplates;
    assert.ok(templates.some(({ uriTemplate }) => uriTemplate === 'vdt://sessions/{sid}/{+path}'));
    const [content] = (
      await client.readResource({ uri: `vdt://sessions/${sid}/logs/capture.ndjson#L1-L1` })
    ).contents;
    assert.ok(content !== undefined && 'text' in content);
    assert.match(content.text, /TypeError: cells is undefined/);
    await on.services.investigation.investigations.writeBytes(
      sid,
      'snapshots/a.png',
      Buffer.from('png'),
    );
    const [picture] = (await client.readResource({ uri: `vdt://sessions/${sid}/snapshots/a.png` }))
      .contents;
    assert.ok(picture !== undefined && 'blob' in picture);
    assert.deepEqual(
      [picture.mimeType, Buffer.from(picture.blob, 'base64').toString()],
      ['image/png', 'png'],
    );
  });

  it('has no resource outside an investigation', async () => {
    const client = await server.connect();
    const sid = await analysed(client);
    for (const uri of [
      `vdt://sessions/${sid}/../x`,
      `vdt://sessions/${sid}/none.md`,
      'vdt://sessions/260301-zzzz/meta.json',
      'vdt://sessions/x/meta.json',
    ])
      await assert.rejects(client.readResource({ uri }), (error) => {
        assert.ok(error instanceof Error && 'code' in error);
        assert.equal(error.code, -32002, uri);
        return true;
      });
    await assert.rejects(client.subscribeResource({ uri: 'vdt://sessions/x/meta.json' }));
  });

  it('notifies subscribers of changes, and all clients of new files', async () => {
    const client = await server.connect();
    const sid = await analysed(client);
    const uri = `vdt://sessions/${sid}/meta.json`;
    await client.subscribeResource({ uri });
    const updated = new Promise<string>((resolve) =>
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) =>
        resolve(params.uri),
      ),
    );
    const listed = new Promise<void>((resolve) =>
      client.setNotificationHandler(ResourceListChangedNotificationSchema, () => resolve()),
    );
    await call(client, 'end_session', { sid });
    assert.equal(await updated, uri);
    await listed;
  });

  it('offers its prompts while its tools are on', async () => {
    const client = await server.connect();
    const names = async (): Promise<string[]> =>
      (await client.listPrompts()).prompts
        .map(({ name }) => name)
        .filter((name) => name.startsWith('vdt/'));
    assert.deepEqual(await names(), [
      'vdt/spec/orchestration',
      'vdt/debugspec/clarify',
      'vdt/debugspec/fix-hypothesis',
    ]);
    const sid = await analysed(client);
    for (const name of await names()) {
      const given = name.startsWith('vdt/spec') ? {} : { arguments: { sid } };
      const [message] = (await client.getPrompt({ name, ...given })).messages;
      assert.ok(message?.content.type === 'text');
      assert.match(
        message.content.text,
        name.startsWith('vdt/spec') ? /start_session/ : /cells is undefined/,
      );
    }
    await assert.rejects(
      client.getPrompt({ name: 'vdt/debugspec/clarify', arguments: { sid: 'x' } }),
    );
    server.exposed.use(['core']);
    assert.deepEqual(await names(), []);
  });

  it('asks the person and the model through a client that supports elicitation and sampling', async () => {
    const client = new Client(
      { name: 'able', version: '1' },
      { capabilities: { sampling: {}, elicitation: {} } },
    );
    let [prompt, offered] = ['', ''];
    client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => {
      prompt = JSON.stringify(params.messages);
      return {
        role: 'assistant',
        model: 'm',
        content: { type: 'text', text: JSON.stringify(ANSWER) },
      };
    });
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      const found = /"const":"([^"]+)"/.exec(JSON.stringify(params));
      offered = found?.[1] ?? '';
      return { action: 'accept', content: { chunk: offered, notes: 'this one' } };
    });
    await server.connect('able', client);
    const sid = await analysed(client);
    const clarified = await call(client, 'clarify', { sid });
    assert.deepEqual(
      [clarified['selectedIds'], clarified['notes']],
      [[offered], 'this one'],
      JSON.stringify(clarified),
    );
    on.investigation.reasoner = { kind: 'mcp', label: 'client', find: async () => undefined };
    const reasoned = await call(client, 'reasoner_run', { sid, task: 'propose_patch' });
    assert.equal(reasoned['analysis'], ANSWER.analysis, JSON.stringify(reasoned));
    assert.match(prompt, /cells is undefined/);
  });
});
