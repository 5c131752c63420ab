// @ts-check
'use strict';
const vscode = require('vscode');

/**
 * A debug adapter that does what a test tells it, for the faults that real ones seldom show. It runs in the extension
 * host; VS Code talks to it as to any other.
 */
class FakeAdapter {
  /** @param {import('vscode').DebugSession} session */
  constructor(session) {
    this.session = session;
    this.emitter = new vscode.EventEmitter();
    this.onDidSendMessage = this.emitter.event;
    this.seq = 0;
    /** Requests by command, in their order. @type {{ seq: number, command: string, arguments: Record<string, unknown> }[]} */
    this.requests = [];
    /** @type {Map<string, (request: { seq: number, command: string, arguments: Record<string, unknown> }) => void>} */
    this.handlers = new Map();
    this.threads = [{ id: 1, name: 'main' }];
    /** @type {Record<string, unknown>} */
    this.capabilities = { supportsConfigurationDoneRequest: true };
    /** @type {(() => void)[]} */
    this.waiting = [];
  }

  /** A command is answered by `handler` from now on; it has to answer itself, or not. @param {string} command @param {(request: { seq: number, command: string, arguments: Record<string, unknown> }) => void} handler */
  on(command, handler) {
    this.handlers.set(command, handler);
    return this;
  }

  /** @param {string} event @param {object} [body] */
  emit(event, body = {}) {
    this.raw({ type: 'event', event, body });
  }

  /** @param {{ seq: number, command: string }} request @param {object} [body] */
  reply(request, body = {}) {
    this.raw({
      type: 'response',
      request_seq: request.seq,
      command: request.command,
      success: true,
      body,
    });
  }

  /** @param {{ seq: number, command: string }} request @param {string} message */
  refuse(request, message) {
    this.raw({
      type: 'response',
      request_seq: request.seq,
      command: request.command,
      success: false,
      message,
    });
  }

  /** @param {object} message */
  raw(message) {
    this.seq += 1;
    this.emitter.fire({ seq: this.seq, ...message });
  }

  /** @param {{ seq: number, type: string, command: string, arguments?: Record<string, unknown> }} message */
  handleMessage(message) {
    if (message.type !== 'request') return;
    const request = {
      seq: message.seq,
      command: message.command,
      arguments: message.arguments ?? {},
    };
    this.requests.push(request);
    const handler = this.handlers.get(request.command);
    if (handler) handler(request);
    else this.answer(request);
    for (const each of this.waiting.splice(0)) each();
  }

  /** What a well-behaved adapter answers. @param {{ seq: number, command: string, arguments: Record<string, unknown> }} request */
  answer(request) {
    switch (request.command) {
      case 'initialize':
        this.reply(request, this.capabilities);
        return this.emit('initialized');
      case 'threads':
        return this.reply(request, { threads: this.threads });
      case 'setBreakpoints': {
        const asked = /** @type {{ line: number }[]} */ (request.arguments['breakpoints'] ?? []);
        return this.reply(request, {
          breakpoints: asked.map(({ line }, index) => ({ id: index, verified: true, line })),
        });
      }
      case 'stackTrace':
        return this.reply(request, {
          stackFrames: [
            {
              id: 1000 + Number(request.arguments['threadId']),
              name: `frame of ${request.arguments['threadId']}`,
              line: 1,
              column: 1,
            },
          ],
          totalFrames: 1,
        });
      case 'scopes':
        return this.reply(request, {
          scopes: [
            {
              name: 'Locals',
              presentationHint: 'locals',
              variablesReference: 2000 + Number(request.arguments['frameId']),
              expensive: false,
            },
          ],
        });
      case 'variables':
        return this.reply(request, {
          variables: [{ name: 'answer', value: '42', type: 'int', variablesReference: 0 }],
        });
      case 'disconnect':
        this.reply(request);
        return this.emit('terminated');
      default:
        return this.reply(request);
    }
  }

  /** Resolves when a request has come that fits. @param {string} command @param {number} [count] */
  async received(command, count = 1) {
    while (this.requests.filter((each) => each.command === command).length < count)
      await new Promise((resolve) => this.waiting.push(() => resolve(undefined)));
    return this.requests.filter((each) => each.command === command)[count - 1];
  }

  dispose() {
    this.emitter.dispose();
  }
}

/** What a test tells the next sessions' adapters, before VS Code sends them anything. @type {{ script: (adapter: FakeAdapter) => void }} */
exports.fake = { script: () => undefined };

exports.createFake = (/** @type {import('vscode').DebugSession} */ session) => {
  const adapter = new FakeAdapter(session);
  exports.fake.script(adapter);
  return new vscode.DebugAdapterInlineImplementation(adapter);
};
