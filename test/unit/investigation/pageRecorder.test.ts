import { strict as assert } from 'node:assert';
import type { Fields } from '../../../src/debugger/protocol';
import type { Recorder } from '../../../src/investigation/captureRecorder';
import type { CaptureEvent } from '../../../src/investigation/events';
import { ACTION_BINDING } from '../../../src/investigation/pageActions';
import { NotAnswered, type PageConnection } from '../../../src/investigation/pageConnection';
import { PageRecorder } from '../../../src/investigation/pageRecorder';

interface Page {
  readonly recorder: PageRecorder;
  readonly connection: { send: PageConnection['send'] };
  readonly sent: (readonly [string, Fields])[];
  readonly events: CaptureEvent[];
  readonly printed: string[];
  readonly lines: Record<string, Fields[]>;
  readonly pictures: string[];
  readonly dropped: number[];
}

function page(answers: Readonly<Record<string, Fields>> = {}, hasScreenshots = false): Page {
  const made: Omit<Page, 'recorder' | 'connection'> = {
    sent: [],
    events: [],
    printed: [],
    lines: {},
    pictures: [],
    dropped: [],
  };
  const recorder: Recorder = {
    sid: '260301-abcd',
    sink: async (_stream, data) => void made.printed.push(String(data)),
    event: async (event) => void made.events.push(event),
    line: async (stream, value) => void (made.lines[stream] ??= []).push({ ...value }),
    picture: async (name) => {
      made.pictures.push(name);
      return `snapshots/${name}`;
    },
    dropped: (count) => void made.dropped.push(count),
  };
  const connection = {
    send: async (method: string, params: Fields = {}): Promise<Fields> => {
      made.sent.push([method, params]);
      return answers[method] ?? {};
    },
  };
  return {
    ...made,
    connection,
    recorder: new PageRecorder(connection, recorder, hasScreenshots, () => 7),
  };
}

describe('a recorded page', () => {
  it('that has to end drops the events that wait, and says how many', async () => {
    const { recorder, events, dropped } = page();
    for (let number = 0; number < 100; number += 1)
      recorder.event('Log.entryAdded', { entry: { level: 'info', text: `line ${number}` } });
    recorder.abandon();
    recorder.event('Log.entryAdded', { entry: { level: 'info', text: 'late' } });
    await recorder.settle();
    const total = dropped.reduce((sum, count) => sum + count, 0);
    assert.equal(total + events.filter(({ msg }) => msg.startsWith('line')).length, 101);
    assert.ok(total > 90, String(total));
    assert.match(events.at(-1)?.msg ?? '', /events of the page.*were dropped here/);
  });

  it('is opened only after everything has been prepared', async () => {
    const { recorder, sent } = page();
    await recorder.open('http://127.0.0.1/');
    const methods = sent.map(([method]) => method);
    assert.equal(methods.at(-1), 'Page.navigate');
    for (const method of [
      'Page.enable',
      'Runtime.enable',
      'Network.enable',
      'Runtime.addBinding',
      'Page.addScriptToEvaluateOnNewDocument',
    ])
      assert.ok(methods.includes(method), method);
  });

  it('may be slow to respond, but must be reachable', async () => {
    for (const [error, isOpen] of [
      [new NotAnswered('Page.navigate'), true],
      [new Error('Cannot navigate to invalid URL'), false],
    ] as const) {
      const { recorder, connection } = page();
      const { send } = connection;
      connection.send = async (method, params) =>
        method === 'Page.navigate' ? Promise.reject(error) : await send(method, params);
      const opening = recorder.open('http://127.0.0.1/');
      if (isOpen) await opening;
      else await assert.rejects(opening, /invalid URL/);
    }
  });

  it('records console messages with their source locations', async () => {
    const { recorder, lines, events } = page();
    const stackTrace = {
      callFrames: [
        { functionName: 'draw', url: 'http://127.0.0.1/board.js', lineNumber: 11, columnNumber: 4 },
      ],
    };
    recorder.event('Runtime.consoleAPICalled', {
      type: 'warning',
      args: [
        { type: 'string', value: 'slow' },
        { type: 'number', value: 3 },
        { type: 'object', preview: { properties: [{ name: 'x', value: '1' }] } },
      ],
      stackTrace,
    });
    await recorder.settle();
    assert.deepEqual(lines['console'], [
      {
        ts: 7,
        type: 'warn',
        args: ['slow', 3, '{x: 1}'],
        stack: 'at draw (http://127.0.0.1/board.js:12:5)',
      },
    ]);
    assert.deepEqual(
      [events[0]?.level, events[0]?.func, events[0]?.kv['frame']],
      ['warn', 'draw', { file: 'http://127.0.0.1/board.js', line: 12 }],
    );
  });

  const LIST = {
    type: 'object',
    subtype: 'array',
    description: 'Array(2)',
    overflow: false,
    properties: [
      { name: '0', type: 'number', value: '1' },
      { name: '1', type: 'string', value: 'a' },
    ],
  };
  const object = (preview: Fields, objectId?: string): Fields => ({
    type: 'object',
    ...(objectId === undefined ? {} : { objectId }),
    preview: { type: 'object', description: 'Object', overflow: false, ...preview },
  });

  it('keeps lists as lists, and the names of classes', async () => {
    const { recorder, lines } = page();
    const entries = [
      {
        key: { type: 'string', description: 'k' },
        value: LIST,
      },
    ];
    const args = [
      object(LIST),
      object({ ...LIST, overflow: true }),
      object({ subtype: 'map', description: 'Map(1)', properties: [], entries }),
      object({
        description: 'Order',
        properties: [{ name: 'total', type: 'number', value: '3' }],
      }),
      { ...object({ subtype: 'error', properties: [] }), description: 'Error: bad\n    at f' },
    ];
    recorder.event('Runtime.consoleAPICalled', { type: 'log', args });
    await recorder.settle();
    assert.deepEqual(lines['console']?.[0]?.['args'], [
      '[1, "a"]',
      '[1, "a", …]',
      'Map(1) {"k" => [1, "a"]}',
      'Order {total: 3}',
      'Error: bad\n    at f',
    ]);
  });

  it('reads the objects within a logged object, unless it has changed', async () => {
    const properties = [
      { name: 'n', type: 'number', value: '1' },
      { name: 'a', type: 'object', value: 'Object' },
    ];
    const inner = {
      description: 'Object',
      properties: [{ name: 'b', type: 'number', value: '1' }],
    };
    const members = (n: number): Fields => ({
      result: [
        { name: 'n', value: { type: 'number', value: n } },
        { name: 'a', value: { type: 'object', preview: inner } },
      ],
    });
    const logged = async (n: number): Promise<unknown> => {
      const { recorder, lines } = page({ 'Runtime.getProperties': members(n) });
      const args = [object({ properties }, 'id-1')];
      recorder.event('Runtime.consoleAPICalled', { type: 'log', args });
      await recorder.settle();
      return lines['console']?.[0]?.['args'];
    };
    assert.deepEqual(await logged(1), ['{n: 1, a: {b: 1}}']);
    assert.deepEqual(await logged(2), ['{n: 1, a: Object}']);
  });

  it('parses a message that is a structured log entry', async () => {
    const { recorder, events } = page();
    const value =
      '{"ts":1699999999999,"level":"debug","module":"renderer.js","func":"gridToPixel","msg":"mapped","kv":{"x":4}}';
    recorder.event('Runtime.consoleAPICalled', { type: 'log', args: [{ type: 'string', value }] });
    await recorder.settle();
    assert.deepEqual(events, [
      {
        ts: 1699999999999,
        level: 'debug',
        module: 'renderer.js',
        func: 'gridToPixel',
        msg: 'mapped',
        kv: { x: 4 },
        stream: 'console',
      },
    ]);
  });

  it('records an uncaught exception as text with its stack trace', async () => {
    const { recorder, printed, lines } = page();
    recorder.event('Runtime.exceptionThrown', {
      exceptionDetails: {
        text: 'Uncaught',
        exception: { description: 'RangeError: off\n    at draw (http://127.0.0.1/board.js:12:5)' },
      },
    });
    await recorder.settle();
    assert.deepEqual(printed, [
      'Uncaught RangeError: off\n    at draw (http://127.0.0.1/board.js:12:5)\n',
    ]);
    assert.equal(lines['console']?.[0]?.['type'], 'error');
  });

  it('records the person’s actions, with a screenshot if requested', async () => {
    const { recorder, lines, pictures } = page(
      { 'Page.captureScreenshot': { data: 'AAAA' } },
      true,
    );
    const payload = JSON.stringify({
      type: 'click',
      url: 'http://127.0.0.1/',
      selector: '#board',
      coords: { x: 3, y: 4 },
    });
    recorder.event('Runtime.bindingCalled', { name: ACTION_BINDING, payload });
    recorder.event('Runtime.bindingCalled', { name: 'other', payload });
    recorder.event('Runtime.bindingCalled', { name: ACTION_BINDING, payload: 'no JSON' });
    recorder.event('Runtime.consoleAPICalled', { type: 'log', args: [] });
    await recorder.settle();
    assert.deepEqual(lines['actions'], [
      {
        ts: 7,
        type: 'click',
        stepId: 'step-1',
        url: 'http://127.0.0.1/',
        selector: '#board',
        coords: { x: 3, y: 4 },
        screenshot: 'snapshots/step-1.png',
      },
    ]);
    assert.deepEqual(pictures, ['step-1.png']);
    assert.equal(lines['console']?.[0]?.['stepIdHint'], 'step-1');
  });

  it('records requests with the beginning of a text response, and failed requests as errors', async () => {
    const { recorder, lines, events } = page({
      'Network.getResponseBody': { body: 'x'.repeat(500) },
    });
    const begin = (requestId: string, url: string): void =>
      recorder.event('Network.requestWillBeSent', { requestId, request: { method: 'GET', url } });
    begin('1', 'http://127.0.0.1/a.json');
    recorder.event('Network.responseReceived', {
      requestId: '1',
      response: { status: 404, mimeType: 'application/json' },
    });
    recorder.event('Network.dataReceived', { requestId: '1', dataLength: 200 });
    recorder.event('Network.dataReceived', { requestId: '1', dataLength: 300 });
    // The transferred bytes contain the headers.
    recorder.event('Network.loadingFinished', { requestId: '1', encodedDataLength: 631 });
    begin('2', 'http://127.0.0.1/b.png');
    recorder.event('Network.responseReceived', {
      requestId: '2',
      response: { status: 200, mimeType: 'image/png' },
    });
    recorder.event('Network.dataReceived', { requestId: '2', dataLength: 900 });
    recorder.event('Network.loadingFinished', { requestId: '2', encodedDataLength: 1031 });
    begin('3', 'http://127.0.0.1/c');
    recorder.event('Network.loadingFailed', { requestId: '3', errorText: 'net::ERR_FAILED' });
    await recorder.settle();
    assert.deepEqual(
      lines['network']?.map(({ url, status, bodySummary }) => [url, status, bodySummary]),
      [
        ['http://127.0.0.1/a.json', 404, `application/json, 500 bytes: ${'x'.repeat(200)}…`],
        ['http://127.0.0.1/b.png', 200, 'image/png, 900 bytes'],
        ['http://127.0.0.1/c', undefined, 'net::ERR_FAILED'],
      ],
    );
    assert.deepEqual(
      events.map(({ level }) => level),
      ['error', 'debug', 'error'],
    );
  });

  it('drops events that arrive faster than they can be written, and records the gap in place', async () => {
    const { recorder, events, dropped } = page();
    const say = (value: string): void =>
      recorder.event('Runtime.consoleAPICalled', {
        type: 'log',
        args: [{ type: 'string', value }],
      });
    for (let at = 0; at < 6000; at += 1) say(`m${at}`);
    await recorder.settle();
    assert.deepEqual(dropped, [1000]);
    assert.deepEqual([events.length, events[4999]?.msg], [5001, 'm4999']);
    assert.match(events[5000]?.msg ?? '', /1000 events of the page/);
    say('after');
    await recorder.settle();
    assert.equal(events.at(-1)?.msg, 'after');
  });

  it('drops waiting events that would take too much memory', async () => {
    const { recorder, dropped } = page();
    for (let at = 0; at < 5; at += 1)
      recorder.event('Log.entryAdded', { entry: {} }, 10 * 1024 * 1024);
    await recorder.settle();
    assert.deepEqual(dropped, [2]);
  });

  it('does not keep a whole file that is embedded in a URL', async () => {
    const { recorder, lines } = page();
    const url = `data:text/plain,${'x'.repeat(100_000)}`;
    recorder.event('Network.requestWillBeSent', {
      requestId: '1',
      request: { method: 'GET', url },
    });
    recorder.event('Network.loadingFailed', { requestId: '1' });
    await recorder.settle();
    assert.ok(JSON.stringify(lines).length < 10_000);
  });

  it('survives any message', async () => {
    const { recorder } = page();
    for (const method of [
      'Runtime.consoleAPICalled',
      'Runtime.exceptionThrown',
      'Runtime.bindingCalled',
      'Log.entryAdded',
      'Network.requestWillBeSent',
      'Network.responseReceived',
      'Network.loadingFailed',
      'Page.frameNavigated',
      'None.such',
    ])
      recorder.event(method, {});
    await recorder.settle();
  });
});
