import * as vscode from 'vscode';
import { fields, listOf } from '../../src/debugger/protocol';
import { insideExtension } from '../host/support/client';
import type { Language } from './calling';

/** Sessions without the extension's tools and model, to measure the memory of VS Code and the adapter alone. */
export class WithoutUs {
  private readonly live = new Set<string>();
  private readonly ends = new Set<() => void>();
  private readonly stops = new Set<(threadId: number) => void>();
  private readonly subscriptions: vscode.Disposable[];

  private constructor(private readonly wake: () => void) {
    this.subscriptions = [
      vscode.debug.onDidStartDebugSession((session) => this.live.add(session.id)),
      vscode.debug.onDidTerminateDebugSession((session) => {
        this.live.delete(session.id);
        for (const each of this.ends) each();
      }),
      vscode.debug.registerDebugAdapterTrackerFactory('*', {
        createDebugAdapterTracker: () => ({
          onDidSendMessage: (message: unknown) => {
            const { event, body } = fields(message);
            if (event === 'stopped')
              for (const each of this.stops) each(Number(fields(body)['threadId']));
          },
        }),
      }),
    ];
  }

  static async begin(): Promise<WithoutUs> {
    const { model } = await insideExtension();
    const dispatch = model.dispatch.bind(model);
    model.dispatch = () => undefined;
    return new WithoutUs(() => (model.dispatch = dispatch));
  }

  /** Starts a program that is large in one way. @returns the thread in which it has stopped */
  async start(language: Language, kind: string, size: number): Promise<number> {
    const stopped = this.stop();
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    const found = listOf(
      vscode.workspace.getConfiguration('launch', folder?.uri).get('configurations'),
    ).find((each) => fields(each)['name'] === `Large ${language.type}`);
    await vscode.debug.startDebugging(folder, {
      ...(found as vscode.DebugConfiguration),
      args: [kind, String(size)],
    });
    return await stopped;
  }

  /** Starts a program and resolves when its session and all child sessions have ended. */
  async runToEnd(configuration: vscode.DebugConfiguration): Promise<void> {
    const started = new Promise<void>((resolve) => {
      const subscription = vscode.debug.onDidStartDebugSession(() => {
        subscription.dispose();
        resolve();
      });
    });
    await vscode.debug.startDebugging(vscode.workspace.workspaceFolders?.[0], configuration);
    await started;
    await this.over();
  }

  /** Resolves with the thread that stops next. */
  stop(): Promise<number> {
    return new Promise((resolve) => {
      const note = (threadId: number): void => {
        this.stops.delete(note);
        resolve(threadId);
      };
      this.stops.add(note);
    });
  }

  /** Ends all sessions. */
  async clear(): Promise<void> {
    const gone = this.over();
    await vscode.debug.stopDebugging();
    await gone;
  }

  /** Resolves when all sessions have ended. */
  private over(): Promise<void> {
    return new Promise<void>((resolve) => {
      const read = (): void => {
        if (this.live.size > 0) return;
        this.ends.delete(read);
        resolve();
      };
      this.ends.add(read);
      read();
    });
  }

  /** Makes the extension's model active again. */
  end(): void {
    for (const each of this.subscriptions) each.dispose();
    this.wake();
  }
}
