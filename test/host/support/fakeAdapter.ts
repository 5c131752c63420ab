import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';

export interface FakeRequest {
  readonly seq: number;
  readonly command: string;
  readonly arguments: Record<string, unknown>;
}

/** The interface of the adapter in `test/adapterExtension/fake.js`. */
export interface FakeAdapter {
  readonly session: vscode.DebugSession;
  readonly requests: readonly FakeRequest[];
  threads: { id: number; name: string }[];
  capabilities: Record<string, unknown>;
  on(command: string, handler: (request: FakeRequest) => void): FakeAdapter;
  emit(event: string, body?: object): void;
  reply(request: FakeRequest, body?: object): void;
  refuse(request: FakeRequest, message: string): void;
  raw(message: object): void;
  answer(request: FakeRequest): void;
  received(command: string, count?: number): Promise<FakeRequest>;
}

/** Sets the script for the adapters of the next sessions. @returns a list that receives each created adapter */
export async function scriptFake(script: (adapter: FakeAdapter) => void): Promise<FakeAdapter[]> {
  const extension = vscode.extensions.getExtension<{
    fake: { script: (adapter: FakeAdapter) => void };
  }>('agent-debugger-tests.adapters');
  assert.ok(extension, 'the adapters for the tests are installed');
  const { fake } = await extension.activate();
  const adapters: FakeAdapter[] = [];
  fake.script = (adapter) => {
    adapters.push(adapter);
    script(adapter);
  };
  return adapters;
}

/** The body of a `stopped` event for all threads, as most adapters send it. */
export function stopped(threadId: number, reason = 'breakpoint'): object {
  return { reason, threadId, allThreadsStopped: true };
}
