import type { z } from 'zod';
import * as l10n from '@vscode/l10n';
import { outsideOf } from './files/files';
import { isSameQuestion, movedMeanwhile } from './preparedCalls';
import { checkLength, code, type Question } from './question';
import type { Call, ToolServices } from './services';
import { identityOf, resolveTarget, type Need, type Targets } from './target';

export type ToolSet = 'core' | 'trace' | 'advanced' | 'investigation';

/** `read` never asks; `control` moves the program or changes where it stops; `change` can alter its state. */
export type Effect = 'read' | 'control' | 'change';

/** What the person is asked for: as the effect says, or `look` for an evaluation that its adapter keeps free of side effects. */
export type Consent = 'control' | 'change' | 'look';

export type ToolResult = { readonly status: string } & Readonly<Record<string, unknown>>;

export interface RunContext<Input, N extends Need> {
  readonly input: Input;
  readonly target: Targets[N];
  readonly services: ToolServices;
  readonly call: Call;
}

export interface ToolSpec<Input extends z.ZodObject, Output extends z.ZodObject, N extends Need> {
  readonly name: string;
  readonly set: ToolSet;
  readonly effect: Effect;
  /** For people; English here, Chinese in `package.nls.zh-cn.json`. */
  readonly title: string;
  readonly userDescription: string;
  /** For the model; English only. */
  readonly modelDescription: string;
  /** A codicon's name. */
  readonly icon: string;
  readonly input: Input;
  readonly output: Output;
  /** What it acts on: found before it runs, with one set of errors for all tools. */
  readonly needs: N;
  /** The present participle that is shown while it runs, without dots. */
  readonly doing: (input: z.output<Input>) => string;
  /** What a person is asked before it runs; required unless the effect is `read`. @throws Failure where the call would fail */
  readonly question?: (
    context: Omit<RunContext<z.output<Input>, N>, 'call'>,
  ) => Question | Promise<Question>;
  /** Where a call needs another consent than its tool's effect says; an expression that is evaluated is a `change`. */
  readonly consent?: (context: Omit<RunContext<z.output<Input>, N>, 'call' | 'target'>) => Consent;
  /** Files that the call may tell lines of: about those outside the workspace the person is asked, whatever the effect is. */
  readonly files?: (input: z.output<Input>) => readonly (string | undefined)[];
  readonly run: (context: RunContext<z.output<Input>, N>) => Promise<z.input<Output>>;
}

/** A declared tool. The types of its input and target are known only inside. */
export interface Tool {
  readonly name: string;
  readonly set: ToolSet;
  readonly effect: Effect;
  readonly title: string;
  readonly userDescription: string;
  readonly modelDescription: string;
  readonly icon: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  doing(input: unknown): string;
  question(input: unknown, services: ToolServices): Promise<Question | undefined>;
  /** Real paths of the files that only the person's yes to the question opens to the call. @throws Failure */
  outside(input: unknown, services: ToolServices): Promise<readonly string[]>;
  /** Undefined for a mere look. */
  consent(input: unknown, services: ToolServices): Consent | undefined;
  /** Resolves the target and runs. The input has been checked. */
  run(input: unknown, services: ToolServices, call: Call): Promise<ToolResult>;
}

/** Declares a tool: the manifest, both registrations, the reference and the checks come from what is said here. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject, N extends Need>(
  spec: ToolSpec<Input, Output, N>,
): Tool {
  if (spec.effect !== 'read' && spec.question === undefined)
    throw new Error(`${spec.name} moves or changes the program, so it needs a question`);
  const outside = async (
    input: z.output<Input>,
    services: ToolServices,
  ): Promise<readonly string[]> =>
    spec.files === undefined ? [] : await outsideOf(services, spec.files(input));
  const ask = async (
    input: z.output<Input>,
    target: Targets[N],
    services: ToolServices,
  ): Promise<Question | undefined> => {
    const files = await outside(input, services);
    if (spec.question === undefined && files.length === 0) return undefined;
    const asked = (await spec.question?.({ input, target, services })) ?? {
      title: spec.doing(input),
      message: spec.doing(input),
    };
    return files.length === 0
      ? asked
      : { ...asked, files, message: `${asked.message}\n\n${aboutOutside(files)}` };
  };
  return {
    ...spec,
    outside: async (input, services) => await outside(spec.input.parse(input), services),
    doing: (input) => spec.doing(spec.input.parse(input)),
    consent: (input, services) =>
      spec.effect === 'read'
        ? undefined
        : (spec.consent?.({ input: spec.input.parse(input), services }) ?? spec.effect),
    question: async (input, services) => {
      const parsed = spec.input.parse(input);
      if (spec.question === undefined && (await outside(parsed, services)).length === 0)
        return undefined;
      const target = await resolveTarget(spec.needs, parsed, services);
      const about = identityOf(target, services);
      const asked = await ask(parsed, target, services);
      if (asked !== undefined) checkLength(asked);
      return asked === undefined
        ? undefined
        : { ...asked, ...(about === undefined ? {} : { about }) };
    },
    run: async (input, services, call) => {
      const parsed = spec.input.parse(input);
      const target = await resolveTarget(spec.needs, parsed, services);
      if (call.prepared?.kind === 'asked') {
        const about = identityOf(target, services);
        // Without a target, what was asked about is in the question's words: a line's text, a configuration.
        const now =
          about === undefined
            ? await ask(parsed, target, services)
            : { ...call.prepared.question, about };
        if (now === undefined || !isSameQuestion(now, call.prepared.question))
          throw movedMeanwhile();
      }
      return asResult(
        await spec.run({ input: parsed, target, services: approvedFor(call, services), call }),
      );
    },
  };
}

/** The services of a call that the person has approved: it may read the files that the question named. */
function approvedFor(call: Call, services: ToolServices): ToolServices {
  const files = call.prepared?.kind === 'asked' ? (call.prepared.question.files ?? []) : [];
  return files.length === 0
    ? services
    : { ...services, workspace: services.workspace.approving(files) };
}

function aboutOutside(files: readonly string[]): string {
  return l10n.t(
    '{0} is **outside the workspace**. The agent may be told lines of it.',
    files.map((each) => code(each, MOST_OF_A_PATH)).join(', '),
  );
}

/** A person decides by the whole path. */
const MOST_OF_A_PATH = 4096;

function asResult(result: Readonly<Record<string, unknown>>): ToolResult {
  const { status, ...rest } = result;
  return { status: String(status), ...rest };
}

/** The result of a tool that did what it was asked. */
export function success<Data extends object>(data: Data): { readonly status: 'success' } & Data {
  return { status: 'success', ...data };
}
