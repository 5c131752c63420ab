import { getBreakpoints, removeBreakpoint, setBreakpoint } from './breakpoints';
import { getDebuggerConfigurations } from './configurations';
import type { Tool } from './defineTool';
import { continueDebugging, pauseDebugging, stopDebugging, waitForStop } from './execution';
import { evaluateExpression, getCallStack, getScopes, getVariables } from './inspection';
import { getDebugOutput, getDebugState } from './overview';
import { setExceptionBreakpoints } from './exceptions';
import { startDebugging } from './start';
import { stepExecution } from './stepping';

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
