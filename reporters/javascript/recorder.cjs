'use strict';
/*
 * Reads the frames and their values at each exception of this thread, and remembers them for the very error object. An
 * inspector session of the thread itself hears of a pause before the program is halted, and the program goes on when
 * the listener returns. So the program needs no second thread, and never waits.
 */
const { Session } = require('node:inspector');
const { pathToFileURL } = require('node:url');
const vm = require('node:vm');
const { isOwn, pathOf, Places } = require('./places.cjs');
const { receiverText, variablesIn } = require('./scopes.cjs');
const { Budget } = require('./budget.cjs');

/** The name under which the recorder is reachable in each context of the process. */
const KEY = Symbol.for('agent-debugger.recorder');
/** What the condition of the debugger reads when the program is to stay stopped at an exception. */
const STOP = Symbol.for('agent-debugger.stop');

const MAX_FRAMES = 8;
/** The number of frames in which the place of an exception is searched. */
const MAX_SEARCHED = 200;
/** An error that is thrown again keeps its first records. */
const MAX_RECORDS = 3;

const FULL_SCOPES = new Set(['local', 'block', 'catch', 'closure', 'module', 'script']);

/** The characters with a meaning in regular expressions. */
const SPECIAL = /[.*+?^${}()|[\]\\]/g;

class Recorder {
  constructor() {
    this.session = undefined;
    this.scripts = new Map();
    this.places = new Places((id) => this.scripts.get(id));
    this.records = new WeakMap();
    this.primitives = new Map();
    this.sites = new Map();
    this.budget = undefined;
    this.failure = undefined;
    /** The exception at which the program stays stopped: `[site, number]`. */
    this.target = undefined;
    this.isStaying = false;
    /** Whether it is known whether the program stays stopped at the present pause. */
    this.isDecided = false;
    /** Whether the program stays stopped at the present pause. */
    this.isStopping = false;
    this.onStop = undefined;
    /** Begins to hear of exceptions, at the first script of the person. */
    this.beginAtOwn = undefined;
    /** Called with each value that was thrown and whose frames were read. */
    this.onRecord = undefined;
    this.taken = undefined;
    /** What happens at the breakpoints of the reporters, by their ids. */
    this.breaks = new Map();
  }

  /**
   * Begins to record.
   * @param target the exception at which the program is to stay stopped, as `locatedRecords` names it
   * @param onStop called before it stops
   * @param isUnlimited whether every exception counts, because another run is to stop at one of them
   * @param waits whether nothing of the person's own has been loaded yet. Then the recording begins when it is.
   */
  start({ target, onStop, isUnlimited = target !== undefined, waits = false }) {
    if (this.session !== undefined || this.failure !== undefined) return;
    try {
      this.shareWithContexts();
      const session = new Session();
      session.connect();
      this.session = session;
      session.on('Debugger.scriptParsed', ({ params }) => this.parsed(params));
      session.on('Debugger.paused', ({ params }) => this.paused(params));
      session.on('Debugger.resumed', () => {
        this.isDecided = false;
        this.isStopping = false;
      });
      this.post('Debugger.enable');
      this.budget = new Budget((method, params) => this.post(method, params));
      this.target = target;
      this.isStaying = target !== undefined;
      this.onStop = onStop;
      const listen = () => (isUnlimited ? this.budget.beginUnlimited() : this.budget.begin());
      if (waits) this.beginAtOwn = listen;
      else listen();
    } catch (error) {
      this.failure = error;
      this.session = undefined;
    }
  }

  /**
   * Hears of a script before it runs. Runners throw and handle hundreds of exceptions before they load a test, and under
   * the debugger each of them takes long.
   */
  parsed(script) {
    this.scripts.set(script.scriptId, script);
    if (this.beginAtOwn === undefined || !isOwn(script.url)) return;
    const isOfTarget = this.target?.[0].includes(`${pathOf(script.url)}:`) ?? true;
    if (!isOfTarget) return;
    const listen = this.beginAtOwn;
    this.beginAtOwn = undefined;
    listen();
  }

  /** A session of the thread itself answers before `post` returns. */
  post(method, params) {
    let answer;
    this.session.post(method, params, (error, result) => {
      answer = error === null || error === undefined ? result : undefined;
    });
    return answer;
  }

  /** Test runners run code in contexts with globals of their own. */
  shareWithContexts() {
    share(globalThis, this);
    const { createContext } = vm;
    const recorder = this;
    vm.createContext = function (...args) {
      const context = Reflect.apply(createContext, this, args);
      try {
        share(vm.runInContext('globalThis', context), recorder);
      } catch {
        // A context that forbids it has no values.
      }
      return context;
    };
  }

  paused(params) {
    if (this.target === null) return;
    const leave = this.budget.enter();
    try {
      const { reason, callFrames, data, hitBreakpoints = [] } = params;
      if (reason === 'exception' || reason === 'promiseRejection') this.thrown(callFrames, data);
      for (const id of hitBreakpoints) this.breaks.get(id)?.(callFrames);
    } catch {
      // Nothing that goes wrong here may concern the program.
    } finally {
      leave(params);
      this.isDecided = true;
    }
  }

  /**
   * Called by the debugger's condition. The debugger may ask while this recorder still looks at the pause, because its
   * requests interrupt a thread. A stop at another exception does no harm: the extension goes on from there.
   */
  mayStop() {
    if (this.isStopping) return true;
    if (this.isDecided || !this.isStaying || this.target === null) return false;
    const { prepareStackTrace, stackTraceLimit } = Error;
    try {
      Error.prepareStackTrace = undefined;
      Error.stackTraceLimit = MAX_SEARCHED;
      const { stack } = new Error('place');
      const parts = this.target[0].split(' < ').map((part) => part.replace(/:\d+:\d+$/, ''));
      return parts.every((part) => stack.includes(part));
    } finally {
      Object.assign(Error, { prepareStackTrace, stackTraceLimit });
    }
  }

  thrown(callFrames, data) {
    const own = callFrames.filter((frame) => isOwn(this.urlOf(frame)));
    const site = this.siteOf(callFrames[0], own[0]);
    const number = (this.sites.get(site) ?? 0) + 1;
    this.sites.set(site, number);
    this.budget.count(callFrames[0]);
    if (this.target !== undefined && this.target[0] === site && this.target[1] === number)
      this.stopHere(callFrames[0]);
    if (own.length > 0 || data?.objectId !== undefined)
      this.remember(data, { site, number, frames: this.read(own) });
  }

  remember(data, record) {
    if (data?.objectId === undefined) {
      if (data === undefined) return;
      const value = valueOf(data);
      this.primitives.set(value, record);
      this.onRecord?.(value);
      return;
    }
    const error = this.take(data.objectId);
    if (error === undefined || error === null) return;
    const before = this.records.get(error) ?? [];
    if (before.length < MAX_RECORDS) this.records.set(error, [...before, record]);
    this.onRecord?.(error);
  }

  /** Returns the value of a remote object, if its context shares the recorder. */
  take(objectId) {
    this.taken = undefined;
    this.post('Runtime.callFunctionOn', {
      objectId,
      functionDeclaration: `function () { globalThis[Symbol.for('agent-debugger.recorder')]?.give(this); }`,
      silent: true,
    });
    const { taken } = this;
    this.taken = undefined;
    return taken;
  }

  /** Whether to pause at a place that is passed over. */
  passes() {
    return this.budget.passes();
  }

  give(value) {
    this.taken = value;
  }

  read(own) {
    return own.slice(0, MAX_FRAMES).map((frame) => {
      const { scriptId, lineNumber, columnNumber } = frame.location;
      const place = { scriptId, line: lineNumber, column: columnNumber };
      return { name: frame.functionName, ...place, ...this.variablesOf(frame) };
    });
  }

  variablesOf({ scopeChain, location, this: receiver }) {
    const { scriptId, lineNumber } = location;
    const scopes = scopeChain
      .filter(({ type, object }) => FULL_SCOPES.has(type) && object.objectId !== undefined)
      .map(({ object }) => this.take(object.objectId))
      .filter((scope) => scope !== undefined);
    const sourceOf = () => this.post('Debugger.getScriptSource', { scriptId })?.scriptSource ?? '';
    const found = variablesIn(scopes, sourceOf, lineNumber);
    const id = receiver?.objectId;
    const text = id === undefined ? undefined : receiverText(this.take(id));
    if (text !== undefined) found.variables.push(['this', text]);
    return found;
  }

  /** Returns the texts of the variables of scopes, for the thread that watches this one. */
  variablesIn(scopes) {
    return variablesIn(scopes);
  }

  siteOf(top, own) {
    return [top, own].map((frame) => (frame === undefined ? '' : this.textOf(frame))).join(' < ');
  }

  textOf(frame) {
    const { lineNumber, columnNumber } = frame.location;
    return `${pathOf(this.urlOf(frame))}:${lineNumber}:${columnNumber}`;
  }

  urlOf({ location, url }) {
    return this.scripts.get(location.scriptId)?.url ?? url ?? '';
  }

  /** Lets the debugger stop here. Its condition reads a property of the context of the frame. */
  stopHere({ callFrameId }) {
    this.isStopping = true;
    this.target = null;
    this.onStop?.();
    this.post('Debugger.evaluateOnCallFrame', {
      callFrameId,
      expression: globally(
        `Object.defineProperty(globalThis, Symbol.for('${STOP.description}'), { value: true, configurable: true })`,
      ),
      silent: true,
    });
  }

  /**
   * Calls a function of a reporter each time when a line of a library is about to run. The program does not notice it.
   * Under the debugger it does nothing: the debugger would stop there, too.
   * @param read gets a function that returns the value of an expression there, and the frames with their values
   */
  atLine({ path, line }, condition, read) {
    if (this.isStaying) return;
    const urls = [path, pathToFileURL(path).href].map((url) => url.replace(SPECIAL, '\\$&'));
    const at = { urlRegex: `^(?:${urls.join('|')})$`, lineNumber: line - 1, condition };
    const { breakpointId } = this.post('Debugger.setBreakpointByUrl', at) ?? {};
    if (breakpointId === undefined) return;
    this.breaks.set(breakpointId, (callFrames) => {
      const [{ callFrameId }] = callFrames;
      const valueOf = (expression) => {
        const answer = this.post('Debugger.evaluateOnCallFrame', { callFrameId, expression });
        const objectId = answer?.result?.objectId;
        return objectId === undefined ? answer?.result?.value : this.take(objectId);
      };
      read(valueOf, () => this.read(callFrames.filter((frame) => isOwn(this.urlOf(frame)))));
    });
  }

  /** Remembers the frames of an error that a library keeps instead of throwing it. */
  keep(error, frames) {
    this.records.set(error, [{ frames }]);
  }

  recordsOf(error) {
    if ((typeof error === 'object' && error !== null) || typeof error === 'function')
      return this.records.get(error) ?? [];
    const record = this.primitives.get(error);
    return record === undefined ? [] : [record];
  }

  /** Returns the primitive value that was thrown last and that a text shows. */
  primitiveIn(text) {
    return [...this.primitives.keys()].findLast((value) => text.includes(String(value)));
  }

  /** Returns the value that was thrown last of those that count as false. */
  lastFalsy() {
    return [...this.primitives.keys()].findLast((value) => !value);
  }

  /** Why there are no values for an error without records. */
  get reason() {
    if (this.failure !== undefined || this.session === undefined) return 'no_inspector';
    return this.budget.isSpent ? 'too_many_exceptions' : 'never_thrown';
  }
}

/** Returns an expression for a frame whose code may have names of its own for what is global, as jest's has. */
function globally(expression) {
  return `(() => {}).constructor(${JSON.stringify(expression)})()`;
}

/** Returns the primitive value of a remote object. */
function valueOf({ value, unserializableValue }) {
  if (unserializableValue === undefined) return value;
  const text = String(unserializableValue);
  return text.endsWith('n') ? BigInt(text.slice(0, -1)) : Number(text);
}

function share(target, recorder) {
  Object.defineProperty(target, KEY, { value: recorder, configurable: true });
}

const recorder = globalThis[KEY] ?? new Recorder();
module.exports = { recorder };
