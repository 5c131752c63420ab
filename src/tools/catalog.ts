import { getBreakpoints } from './core/getBreakpoints';
import { removeBreakpoint } from './core/removeBreakpoint';
import { setBreakpoint } from './core/setBreakpoint';
import { getDebuggerConfigurations } from './core/configurations';
import type { Tool } from './defineTool';
import { continueDebugging, pauseDebugging, stopDebugging, waitForStop } from './core/execution';
import { getCallStack } from './core/callStack';
import { evaluateExpression } from './core/evaluate';
import { getScopes } from './core/scopes';
import { getVariables } from './core/variables';
import { getDebugOutput, getDebugState } from './core/overview';
import { setExceptionBreakpoints } from './core/exceptions';
import { startDebugging } from './core/start';
import { stepExecution } from './core/stepping';

/** Every tool there is, in the order in which an agent meets them. */
export const TOOLS: readonly Tool[] = [
  getDebuggerConfigurations,
  startDebugging,
  continueDebugging,
  stepExecution,
  pauseDebugging,
  waitForStop,
  stopDebugging,
  setBreakpoint,
  removeBreakpoint,
  getBreakpoints,
  setExceptionBreakpoints,
  getDebugState,
  getCallStack,
  getScopes,
  getVariables,
  evaluateExpression,
  getDebugOutput,
];
