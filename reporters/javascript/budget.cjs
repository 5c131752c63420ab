'use strict';
const { performance } = require('node:perf_hooks');
const { cpuUsage } = process;
const { setTimeout: startTimer } = globalThis;

/** The time that all pauses may take: a part of it at once, and a part of the time of the test. */
const BASE_MS = 400;
const PART = 0.25;
/** How often a place has to throw before it is passed over, and how often it may be passed over. */
const NOISY = 30;
const MAX_PASSED = 1500;
const WAIT_MS = 50;
/** The exceptions by which the cost of a pause is measured. */
const SAMPLES = 3;

/** The condition of a breakpoint. If it is false, V8 does not pause at exceptions of that place either. */
const CONDITION = `globalThis[Symbol.for('agent-debugger.recorder')]?.passes() ?? false`;

/** The processor time of the process, in ms. Unlike the time of a pause, it does not depend on other processes. */
function worked() {
  const { user, system } = cpuUsage();
  return (user + system) / 1000;
}

/**
 * The time of the test in ms: in which its process works, or its event loop waits for something. A process that waits
 * for the processor has no more time for pauses.
 */
function elapsed() {
  const { idle } = performance.eventLoopUtilization();
  return worked() + idle;
}

/**
 * Limits the time that the recording takes. A pause takes about a millisecond, and a test may throw thousands of
 * exceptions that it handles. When the time is spent, places that throw often are passed over, and if that does not
 * help, all exceptions for a while.
 */
class Budget {
  /** @param post sends a request to the inspector, and returns the answer */
  constructor(post) {
    this.post = post;
    this.counts = new Map();
    this.passed = [];
    this.timesPassed = 0;
    /** The frames of all pauses, and the time that the runtime needs for one. It reads them before it calls. */
    this.frames = 0;
    this.frameMs = 0;
    this.began = 0;
    this.spent = 0;
    /** Whether exceptions were passed over. */
    this.isSpent = false;
    this.isUnlimited = false;
  }

  begin() {
    this.listen('all');
    const from = worked();
    for (let times = 0; times < SAMPLES; times += 1)
      try {
        throw undefined;
      } catch {
        // Only its pause matters.
      }
    this.frameMs = (worked() - from) / Math.max(1, this.frames);
    this.began = elapsed();
    this.spent = 0;
  }

  /** Begins without a limit, if each exception counts. Under the debugger, the samples would take long. */
  beginUnlimited() {
    this.isUnlimited = true;
    this.listen('all');
  }

  /** @returns what ends the time of a pause */
  enter() {
    const from = worked();
    return ({ callFrames = [] }) => {
      this.frames += callFrames.length;
      this.spent += worked() - from + this.frameMs * callFrames.length;
      if (!this.isUnlimited) this.check(callFrames[0]);
    };
  }

  /** Counts an exception for the place that threw it. */
  count(frame) {
    const key = keyOf(frame);
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }

  get left() {
    return BASE_MS + PART * (elapsed() - this.began) - this.spent;
  }

  check(frame) {
    const { left } = this;
    if (left > 0 || frame === undefined) return;
    const isNoisy = (this.counts.get(keyOf(frame)) ?? 0) >= NOISY;
    if (isNoisy && this.pass(frame)) return;
    if (left < -BASE_MS) this.rest();
  }

  /** Passes over a place from now on, if V8 can set a breakpoint exactly there. */
  pass({ location }) {
    const answer = this.post('Debugger.setBreakpoint', { location, condition: CONDITION });
    if (answer === undefined) return false;
    const { breakpointId, actualLocation: actual } = answer;
    this.passed.push(breakpointId);
    this.isSpent = true;
    this.counts.delete(keyOf({ location }));
    return (
      actual.lineNumber === location.lineNumber && actual.columnNumber === location.columnNumber
    );
  }

  /** Called each time that a place is passed over. */
  passes() {
    this.timesPassed += 1;
    if (this.timesPassed > MAX_PASSED) this.rest();
    return false;
  }

  /** Hears of no exceptions for a while. */
  rest() {
    this.isSpent = true;
    for (const breakpointId of this.passed)
      this.post('Debugger.removeBreakpoint', { breakpointId });
    this.passed = [];
    this.timesPassed = 0;
    this.listen('none');
    this.wait();
  }

  wait() {
    startTimer(() => {
      if (this.left > 0) this.listen('all');
      else this.wait();
    }, WAIT_MS).unref();
  }

  listen(state) {
    this.post('Debugger.setPauseOnExceptions', { state });
  }
}

function keyOf({ location }) {
  return `${location.scriptId}:${location.lineNumber}:${location.columnNumber}`;
}

module.exports = { Budget };
