import { getBreakpoints, removeBreakpoint, setBreakpoint } from './core/breakpoints';
import { getDebuggerConfigurations } from './core/configurations';
import type { Tool } from './defineTool';
import { continueDebugging, pauseDebugging, stopDebugging, waitForStop } from './core/execution';
import { evaluateExpression, getCallStack, getScopes, getVariables } from './core/inspection';
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
