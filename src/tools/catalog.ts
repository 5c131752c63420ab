import { customRequest } from './advanced/customRequest';
import { dataBreakpointInfo } from './advanced/dataBreakpointInfo';
import { removeDataBreakpoint, setDataBreakpoint } from './advanced/dataBreakpoints';
import { disassemble } from './advanced/disassemble';
import { gotoLine } from './advanced/gotoLine';
import {
  removeInstructionBreakpoint,
  setInstructionBreakpoint,
} from './advanced/instructionBreakpoints';
import { getLoadedSources } from './advanced/loadedSources';
import { getModules } from './advanced/modules';
import { readMemory } from './advanced/readMemory';
import { restartFrame } from './advanced/restartFrame';
import { setVariable } from './advanced/setVariable';
import { reverseContinue, stepBack } from './advanced/stepBack';
import { writeMemory } from './advanced/writeMemory';
import { getBreakpoints } from './core/getBreakpoints';
import { removeBreakpoint } from './core/removeBreakpoint';
import { setBreakpoint } from './core/setBreakpoint';
import { getDebuggerConfigurations } from './core/configurations';
import type { Tool, ToolSet } from './defineTool';
import { continueDebugging, pauseDebugging, waitForStop } from './core/execution';
import { getCallStack } from './core/callStack';
import { evaluateExpression } from './core/evaluate';
import { getScopes } from './core/scopes';
import { getVariables } from './core/variables';
import { getDebugOutput } from './core/debugOutput';
import { getDebugState } from './core/overview';
import { setExceptionBreakpoints } from './core/exceptions';
import { restartDebugging } from './core/restart';
import { startDebugging } from './core/start';
import { stepExecution } from './core/stepExecution';
import { stopDebugging } from './core/stopDebugging';
import { analyzeCapture } from './investigation/analyzeCapture';
import { captureRun } from './investigation/captureRun';
import { clarify } from './investigation/clarify';
import { reasonerRun } from './investigation/reasonerRun';
import { endSession, mcpEnd, startSession } from './investigation/sessions';
import { verifyRun } from './investigation/verifyRun';
import { compareHeap } from './live/compareHeap';
import { explainHang } from './live/explainHang';
import { findWriter } from './live/findWriter';
import { goBack } from './live/goBack';
import { sendInput } from './live/sendInput';
import { whatRan } from './live/whatRan';
import { debugTest } from './trace/debugTest';
import { collectValues } from './trace/collect/collectValues';
import { traceFunction } from './trace/function/traceFunction';

/** The tool sets that are enabled by default. */
export const DEFAULT_SETS: readonly ToolSet[] = ['core', 'trace'];

/** All tools, in the order in which agents see them. */
export const ALL_TOOLS: readonly Tool[] = [
  getDebuggerConfigurations,
  startDebugging,
  continueDebugging,
  stepExecution,
  pauseDebugging,
  waitForStop,
  stopDebugging,
  restartDebugging,
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
  startSession,
  captureRun,
  analyzeCapture,
  clarify,
  reasonerRun,
  verifyRun,
  endSession,
  mcpEnd,
  debugTest,
  traceFunction,
  collectValues,
  explainHang,
  sendInput,
  compareHeap,
  findWriter,
  goBack,
  whatRan,
  setVariable,
  gotoLine,
  restartFrame,
  stepBack,
  reverseContinue,
  dataBreakpointInfo,
  setDataBreakpoint,
  removeDataBreakpoint,
  setInstructionBreakpoint,
  removeInstructionBreakpoint,
  disassemble,
  readMemory,
  writeMemory,
  getModules,
  getLoadedSources,
  customRequest,
];

/** The tools of the sets that are enabled by default. */
export const TOOLS: readonly Tool[] = ALL_TOOLS.filter((tool) => DEFAULT_SETS.includes(tool.set));
