import { spawn } from 'node:child_process';
import * as vscode from 'vscode';
import { fields, listOf, numberOf } from '../../../src/debugger/protocol';
import { RawClient, withRawClient, type Message } from '../rawClient';
import { WithoutUs } from '../withoutUs';
import type { Move } from './bug';
import type { Cost } from './findings';
import type { Place, Stepper } from './stepping';

const COMMANDS: Readonly<Record<Move, string>> = { over: 'next', next: 'continue' };

/** Names of scopes that are not the function's own. */
const NOT_OWN = /^(?:closure|globals?|module|registers|script|with)\b/i;

/** A program that a raw client debugs. */
interface Debuggee {
  readonly client: RawClient;
  readonly threadId: number;
  /** The adapter's data about the stop. */
  readonly stop: object;
  end(): Promise<void>;
}

/** Steps with requests of the protocol, and requests stack, scopes and variables one after the other at each stop. */
export class RawStepper implements Stepper {
  readonly showsSource = false;
  private debuggee: Debuggee | undefined;

  constructor(
    private readonly cost: Cost,
    private readonly file: string,
    private readonly launch: LaunchRaw,
  ) {}

  async start(place: Place): Promise<string> {
    await this.end();
    const { condition, line } = place;
    const breakpoint = { line, ...(condition === undefined ? {} : { condition }) };
    const breakpoints = { source: { path: this.file }, breakpoints: [breakpoint] };
    this.debuggee = await this.launch(breakpoints, this.cost);
    return await this.look(this.debuggee, this.debuggee.stop);
  }

  async move(move: Move): Promise<string> {
    if (this.debuggee === undefined) throw new Error('nothing is under debug');
    const { client, threadId } = this.debuggee;
    const stopped = stoppedOrOver(client);
    await noted(this.cost, client, COMMANDS[move], { threadId });
    return await this.look(this.debuggee, await stopped);
  }

  async end(): Promise<void> {
    await this.debuggee?.end();
    this.debuggee = undefined;
  }

  private async look({ client, threadId }: Debuggee, stop: object): Promise<string> {
    const texts = [JSON.stringify(stop)];
    const ask = async (command: string, args: object): Promise<Message> => {
      const body = await noted(this.cost, client, command, args);
      texts.push(JSON.stringify(body));
      return body;
    };
    this.cost.read(texts[0] ?? '');
    const stack = await ask('stackTrace', { threadId, startFrame: 0, levels: 20 });
    const frameId = numberOf(fields(listOf(stack['stackFrames'])[0])['id']);
    const { scopes } = await ask('scopes', { frameId });
    for (const scope of listOf(scopes)) {
      const { name, expensive, variablesReference } = fields(scope);
      if (expensive === true || NOT_OWN.test(String(name))) continue;
      await ask('variables', { variablesReference });
    }
    return texts.join('\n');
  }
}

/** Starts the program with a breakpoint, and resolves when it has stopped there. */
export type LaunchRaw = (breakpoints: object, cost: Cost) => Promise<Debuggee>;

async function noted(
  cost: Cost,
  client: RawClient,
  command: string,
  args: object,
): Promise<Message> {
  const body = await client.request(command, args);
  cost.note({ command, arguments: args }, JSON.stringify(body));
  return body;
}

/** Resolves with the next stop. @throws if the program ends instead */
async function stoppedOrOver(client: RawClient): Promise<Message> {
  const { event, body } = await client.next(
    (each) => each['event'] === 'stopped' || each['event'] === 'terminated',
  );
  if (event !== 'stopped') throw new Error('the program ended before its wrong value was seen');
  return fields(body);
}

/** Launches the program with a separate adapter, without VS Code. */
export function launchAlone(
  command: readonly [string, ...string[]],
  configuration: object,
): LaunchRaw {
  return async (breakpoints, cost) => {
    const [program, ...args] = command;
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] });
    const gone = new Promise((resolve) => child.once('exit', resolve));
    const client = new RawClient({ input: child.stdin, output: child.stdout });
    const ask = (name: string, input: object): Promise<Message> => noted(cost, client, name, input);
    await ask('initialize', { adapterID: 'raw', linesStartAt1: true, pathFormat: 'path' });
    const initialized = client.event('initialized');
    const launched = ask('launch', configuration);
    await initialized;
    await ask('setBreakpoints', breakpoints);
    const stopped = stoppedOrOver(client);
    await ask('configurationDone', {});
    await launched;
    const stop = await stopped;
    return {
      client,
      threadId: numberOf(fields(stop)['threadId']) ?? 0,
      stop,
      end: async () => {
        await ask('disconnect', { terminateDebuggee: true });
        child.kill();
        await gone;
      },
    };
  };
}

/**
 * Launches the program in VS Code, in which js-debug runs, with the extension's model inactive. VS Code starts the
 * program, and the start requests that the client would have sent are added to its cost.
 */
export function launchInVsCode(configuration: vscode.DebugConfiguration): LaunchRaw {
  return async (breakpoints, cost) => {
    const without = await WithoutUs.begin();
    const points = sourceBreakpoints(breakpoints);
    vscode.debug.addBreakpoints(points);
    const { started: threadId, raw } = await withRawClient(
      async () => {
        const stopped = without.stop();
        await vscode.debug.startDebugging(vscode.workspace.workspaceFolders?.[0], configuration);
        return await stopped;
      },
      (thread) => thread,
    );
    for (const [command, args] of [
      ['initialize', {}],
      ['launch', configuration],
      ['setBreakpoints', breakpoints],
      ['configurationDone', {}],
    ])
      cost.note({ command, arguments: args }, '{}');
    return {
      client: raw,
      threadId,
      stop: { reason: 'breakpoint', threadId },
      end: async () => {
        cost.note({ command: 'disconnect', arguments: {} }, '{}');
        await without.clear();
        without.end();
        vscode.debug.removeBreakpoints(points);
      },
    };
  };
}

function sourceBreakpoints(request: object): vscode.SourceBreakpoint[] {
  const { source, breakpoints } = fields(request);
  const uri = vscode.Uri.file(String(fields(source)['path']));
  return listOf(breakpoints).map((each) => {
    const { line, condition } = fields(each);
    const at = new vscode.Position(Number(line) - 1, 0);
    return new vscode.SourceBreakpoint(
      new vscode.Location(uri, at),
      true,
      typeof condition === 'string' ? condition : undefined,
    );
  });
}
