'use strict';
const { appendFileSync } = require('node:fs');
const { Session } = require('node:inspector');
const { workerData } = require('node:worker_threads');
const { isOwn, Places } = require('./places.cjs');

/** The time that the main thread may take to pause. If it waits for an event, nothing runs that could pause. */
const PAUSE_MS = 500;
const MAX_FRAMES = 8;
const SCOPES = new Set(['local', 'block', 'catch', 'closure', 'module']);

const VARIABLES = `function () {
  return globalThis[Symbol.for('agent-debugger.recorder')]?.variablesIn([this]);
}`;

class Watch {
  constructor() {
    this.session = new Session();
    this.scripts = new Map();
    this.places = new Places((id) => this.scripts.get(id));
  }

  async read() {
    const { session } = this;
    session.connectToMainThread();
    session.on('Debugger.scriptParsed', ({ params }) => this.scripts.set(params.scriptId, params));
    const paused = new Promise((resolve) => {
      session.on('Debugger.paused', ({ params }) => {
        if (params.callFrames.some((frame) => isOwn(this.urlOf(frame)))) {
          resolve(params.callFrames);
          return;
        }
        session.post('Debugger.resume');
      });
      // The thread may have paused in a library, or at an exception that its own session asks for.
      session.on('Debugger.resumed', () => session.post('Debugger.pause'));
    });
    const late = new Promise((resolve) => setTimeout(() => resolve([]), PAUSE_MS));
    void this.post('Debugger.enable');
    void this.post('Debugger.pause');
    const own = (await Promise.race([paused, late])).filter((frame) => isOwn(this.urlOf(frame)));
    const hanging = [];
    for (const frame of own.slice(0, MAX_FRAMES)) hanging.push(await this.frame(frame));
    appendFileSync(workerData.report, `${JSON.stringify({ hanging })}\n`);
    // Without it, the program would wait for the debugger at its end.
    session.post('Debugger.disable');
    session.disconnect();
  }

  async frame({ functionName, location, scopeChain }) {
    const { scriptId, lineNumber: line, columnNumber: column } = location;
    const { source } = this.places.of({ scriptId, line, column });
    const variables = new Map();
    let omitted = 0;
    for (const { type, object } of scopeChain) {
      if (!SCOPES.has(type) || object.objectId === undefined) continue;
      const read = await this.post('Runtime.callFunctionOn', {
        ...{ objectId: object.objectId, functionDeclaration: VARIABLES, returnByValue: true },
      });
      for (const [name, text] of read?.result?.value?.variables ?? [])
        if (!variables.has(name)) variables.set(name, text);
      omitted += read?.result?.value?.omitted ?? 0;
    }
    const name = functionName === '' ? '<anonymous>' : functionName;
    return { name, ...source, variables: [...variables], omitted };
  }

  urlOf({ location, url }) {
    return this.scripts.get(location.scriptId)?.url ?? url ?? '';
  }

  post(method, params) {
    return new Promise((resolve) => {
      this.session.post(method, params, (error, result) => resolve(error ? undefined : result));
    });
  }
}

setTimeout(() => {
  new Watch().read().catch(() => undefined);
}, workerData.milliseconds);
