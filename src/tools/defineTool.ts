import { z } from 'zod';
import { isFields, textOf } from '../debugger/protocol';
import { listed } from '../results/listing';
import * as l10n from '@vscode/l10n';
import { outsideOf } from './files/files';
import { isSameQuestion, movedMeanwhile } from './preparedCalls';
import { sid } from './investigation/parameters';
import { checkLength, code, type Question } from './question';
import type { Call, ToolServices } from './services';
import { requireCapability, type Capability } from './capability';
import { invalidInput } from './checkInput';
import { identityOf, resolveTarget, TARGET_PARAMETERS, type Need, type Targets } from './target';

export type ToolSet = 'core' | 'trace' | 'advanced' | 'investigation';

/** `read` never asks; `control` moves the program or changes where it stops; `change` can alter its state. */
export type Effect = 'read' | 'control' | 'change';

/** What the person is asked for: as the effect says, or `look` for an evaluation that its adapter keeps free of side effects. */
export type Consent = 'control' | 'change' | 'look';

export type ToolResult = { readonly status: string } & Readonly<Record<string, unknown>>;

export interface RunContext<Input, N extends Need> {
  readonly input: Input;
  /** The parameters that name the target, as the caller gave them. */
  readonly ids: TargetIds;
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
  /** Its own parameters. Those that name its target come from `needs`. */
  readonly input: Input;
  readonly output: Output;
  /** What it acts on: found before it runs, with one set of errors for all tools. */
  readonly needs: N;
  /** What its session's adapter has to be capable of (DAP `Capabilities`), where it needs a session. */
  readonly capability?: Capability;
  /** The present participle that is shown while it runs, without dots. */
  readonly doing: (input: z.output<Input>) => string;
  /** What a person is asked before it runs; required unless the effect is `read`. @throws Failure where the call would fail */
  readonly question?: (
    context: Omit<RunContext<z.output<Input>, N>, 'call'>,
  ) => Question | Promise<Question>;
  /** Where a call needs another consent than its tool's effect says; an expression that is evaluated is a `change`. */
  readonly consent?: (context: Omit<RunContext<z.output<Input>, N>, 'call' | 'target'>) => Consent;
  /** Whether its answer can be kept as evidence of an investigation: the pipeline then takes `sid` beside its parameters. */
  readonly evidence?: true;
  /** Files that the call may tell lines of: about those outside the workspace the person is asked, whatever the effect is. */
  readonly files?: (input: z.output<Input>) => readonly (string | undefined)[];
  readonly run: (context: RunContext<z.output<Input>, N>) => Promise<z.input<Output>>;
}

/** The parameters by which a caller names the target. */
type TargetIds = Readonly<Record<string, unknown>>;

/** A declared tool. The types of its input and target are known only inside. */
export interface Tool {
  readonly name: string;
  readonly set: ToolSet;
  readonly effect: Effect;
  readonly title: string;
  readonly userDescription: string;
  readonly modelDescription: string;
  readonly icon: string;
  /** All parameters: its own, and those by which its target is named. */
  readonly input: z.ZodObject;
  /** Whether it takes `sid` as well, which keeps its answer as evidence of an investigation. */
  readonly evidence: boolean;
  readonly output: z.ZodObject;
  /** Checks the input of one call. @throws Failure `invalid_input` that names each parameter and what was expected */
  check(input: unknown): CheckedCall;
}

/** One call whose input has been checked. */
export interface CheckedCall {
  /** What was given, with its defaults. */
  readonly input: Readonly<Record<string, unknown>>;
  /** What is shown while it runs, without dots. */
  readonly doing: string;
  /** The investigation that the answer is to be kept in. */
  readonly sid: string | undefined;
  /** Undefined for a read-only call. */
  consent(services: ToolServices): Consent | undefined;
  /** Real paths of the files that only the person's yes to the question opens to the call. @throws Failure */
  outside(services: ToolServices): Promise<readonly string[]>;
  /** What the person is asked; undefined where nothing is asked. @throws Failure where the call would fail */
  question(services: ToolServices): Promise<Question | undefined>;
  /** Finds the target and runs. */
  run(services: ToolServices, call: Call): Promise<ToolResult>;
}

/** Declares a tool: the manifest, both registrations, the reference and the checks come from what is said here. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject, N extends Need>(
  spec: ToolSpec<Input, Output, N>,
): Tool {
  if (spec.effect !== 'read' && spec.question === undefined)
    throw new Error(`${spec.name} moves or changes the program, so it needs a question`);
  const target = z.object(TARGET_PARAMETERS[spec.needs]);
  return {
    name: spec.name,
    set: spec.set,
    effect: spec.effect,
    title: spec.title,
    userDescription: spec.userDescription,
    modelDescription: spec.modelDescription,
    icon: spec.icon,
    input: z.strictObject({ ...target.shape, ...spec.input.shape }),
    evidence: spec.evidence === true,
    output: spec.output,
    check: (input) => checkedCall(spec, target, input),
  };
}

function checkedCall<Input extends z.ZodObject, Output extends z.ZodObject, N extends Need>(
  spec: ToolSpec<Input, Output, N>,
  target: z.ZodObject,
  input: unknown,
): CheckedCall {
  const given = input === undefined ? {} : input;
  const ids = target.safeParse(given);
  const evidence: z.ZodObject = spec.evidence === true ? EVIDENCE : NO_EVIDENCE;
  const kept = evidence.safeParse(isFields(given) ? given : {});
  const taken = { ...target.shape, ...evidence.shape };
  const own = spec.input.safeParse(ownOf(given, taken));
  if (!own.success || !ids.success || !kept.success) {
    const failed = [ids.error, kept.error, own.error];
    const issues = failed.flatMap((error) => error?.issues ?? []);
    const parameters = [...Object.keys(target.shape), ...Object.keys(spec.input.shape)];
    throw invalidInput(spec.name, issues, parameters);
  }
  return new DeclaredCall(spec, own.data, ids.data, textOf(kept.data['sid']));
}

/** The investigation that an answer is kept in. */
export const EVIDENCE = z.object({ sid: sid.optional() });
const NO_EVIDENCE = z.object({});

/** The parameters that are the tool's own. What is no object is left as it is, to be refused. */
function ownOf(input: unknown, taken: object): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([key]) => !(key in taken)));
}

class DeclaredCall<
  Input extends z.ZodObject,
  Output extends z.ZodObject,
  N extends Need,
> implements CheckedCall {
  readonly doing: string;

  constructor(
    private readonly spec: ToolSpec<Input, Output, N>,
    private readonly own: z.output<Input>,
    private readonly ids: TargetIds,
    readonly sid: string | undefined,
  ) {
    this.doing = spec.doing(own);
  }

  get input(): Readonly<Record<string, unknown>> {
    return { ...this.ids, ...this.own };
  }

  consent(services: ToolServices): Consent | undefined {
    const { effect, consent } = this.spec;
    if (effect === 'read') return undefined;
    return consent?.({ input: this.own, ids: this.ids, services }) ?? effect;
  }

  async outside(services: ToolServices): Promise<readonly string[]> {
    const { files } = this.spec;
    return files === undefined ? [] : await outsideOf(services, files(this.own));
  }

  async question(services: ToolServices): Promise<Question | undefined> {
    if (this.spec.question === undefined && (await this.outside(services)).length === 0)
      return undefined;
    const target = await this.target(services);
    const about = identityOf(target, services);
    const asked = await this.ask(target, services);
    if (asked === undefined) return undefined;
    checkLength(asked);
    return { ...asked, ...(about === undefined ? {} : { about }) };
  }

  async run(services: ToolServices, call: Call): Promise<ToolResult> {
    const target = await this.target(services);
    if (call.prepared?.kind === 'asked')
      await this.checkAsked(target, services, call.prepared.question);
    const approved = approvedFor(call, services);
    return asResult(
      await this.spec.run({ input: this.own, ids: this.ids, target, services: approved, call }),
    );
  }

  /** The target and the capability that the tool requires of its adapter. @throws Failure */
  private async target(services: ToolServices): Promise<Targets[N]> {
    const target = await resolveTarget(this.spec.needs, this.input, services);
    const { capability, name } = this.spec;
    if (capability !== undefined && target !== undefined)
      requireCapability(target.session, capability, name);
    return target;
  }

  /** What the person was asked about is what the call acts on. @throws Failure `moved_meanwhile` */
  private async checkAsked(
    target: Targets[N],
    services: ToolServices,
    question: Question,
  ): Promise<void> {
    const about = identityOf(target, services);
    // Without a target, what was asked about is in the question's words: a line's text, a configuration.
    const now = about === undefined ? await this.ask(target, services) : { ...question, about };
    if (now === undefined || !isSameQuestion(now, question)) throw movedMeanwhile();
  }

  private async ask(target: Targets[N], services: ToolServices): Promise<Question | undefined> {
    const files = await this.outside(services);
    if (this.spec.question === undefined && files.length === 0) return undefined;
    const asked = (await this.spec.question?.({
      input: this.own,
      ids: this.ids,
      target,
      services,
    })) ?? {
      title: this.doing,
      message: this.doing,
    };
    if (files.length === 0) return asked;
    return { ...asked, files, message: `${asked.message}\n\n${aboutOutside(files)}` };
  }
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
    listed(files.map((file) => code(file, MOST_OF_A_PATH))),
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
