import { serialize } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { fields, listOf, textOf } from './debugger/protocol';
import { setGrammarFolder } from './syntax/grammars';
import type { Answer } from './syntax/readingThread';
import { testsInTree } from './testing/javascript/javascriptTests';
import { javaScriptScope, writesOfJavaScript } from './tools/live/writer/javaScriptWrites';
import { callsOutsideFunctions } from './tools/trace/function/source/javascriptCalls';
import { firstExecuted } from './tools/trace/function/source/javascriptEntry';
import {
  caughtAt,
  handlerAround,
  isReplacedAt,
} from './tools/trace/function/source/javascriptHandlers';
import { exceptionAt } from './tools/trace/function/source/javascriptRejections';
import { readFunctions } from './tools/trace/function/source/readFunctions';

/** What can be read in the thread, by the names that `inThread` takes. */
const READERS: Readonly<Record<string, (...args: never[]) => unknown>> = {
  callsOutsideFunctions,
  caughtAt,
  exceptionAt,
  firstExecuted,
  handlerAround,
  isReplacedAt,
  javaScriptScope,
  readFunctions,
  testsInTree,
  writesOfJavaScript,
};

/** The largest result in bytes. It must be read at once by the host, which takes 10 ms for a megabyte. */
const MAX_RESULT = 8 * 1024 * 1024;

async function answerTo(message: unknown): Promise<Answer> {
  const { name, args } = fields(message);
  const reader = READERS[textOf(name) ?? ''];
  if (reader === undefined) return { error: `There is no reader ${String(name)}.` };
  try {
    const result = serialize(await reader(...(listOf(args) as readonly never[])));
    return result.length > MAX_RESULT ? {} : { result };
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

const folder = textOf(fields(workerData)['grammars']);
if (folder !== undefined) setGrammarFolder(folder);
// A parser makes an error for each mistake. Their stacks would take most of the time, and nobody reads them.
Error.stackTraceLimit = 0;
parentPort?.on('message', (message: unknown) => {
  void answerTo(message).then((answer) => parentPort?.postMessage(answer));
});
