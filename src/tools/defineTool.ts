import { z } from 'zod';
import { isFields, textOf } from '../debugger/protocol';
import { listed } from '../results/listing';
import { defined } from '../util/defined';
import * as l10n from '@vscode/l10n';
import { outsideOf } from './files/files';
import { isSameQuestion, movedMeanwhile } from './preparedCalls';
import { sid } from './investigation/investigationSchemas';
import { checkLength, code, type Question } from './question';
import type { Call, ToolServices } from './services';
import { requireCapability, type Capability } from './capability';
import { invalidInput } from './checkInput';
import { identityOf, resolveTarget, TARGET_PARAMETERS, type Need, type Targets } from './target';

export type ToolSet = 'core' | 'trace' | 'live' | 'advanced' | 'investigation';

/**
 * The effect of a tool. `read`: the tool never asks. `control`: it moves the program, or changes where the program
 * stops. `change`: it can change the program's state.
 */
export type Effect = 'read' | 'control' | 'change';

/**
 * The consent that the person is asked for. It is the effect, or `look` for an evaluation that the adapter keeps free
 * of side effects.
 */
export type Consent = 'control' | 'change' | 'look';

export type ToolResult = { readonly status: string } & Readonly<Record<string, unknown>>;

export interface RunContext<Input, N extends Need> {
  readonly input: Input;
  /** The parameters that name the target, as the caller passed them. */
  readonly ids: TargetIds;
  readonly target: Targets[N];
  readonly services: ToolServices;
  readonly call: Call;
}

export interface ToolSpec<Input extends z.ZodObject, Output extends z.ZodObject, N extends Need> {
  readonly name: string;
  readonly set: ToolSet;
  readonly effect: Effect;
  /** The title for people. It is in English here, and in Chinese in `package.nls.zh-cn.json`. */
  readonly title: string;
  readonly userDescription: string;
  /** The description for the model, in English only. */
  readonly modelDescription: string;
  /** The name of a codicon. */
  readonly icon: string;
  /** The tool's own parameters. The parameters that name its target are derived from `needs`. */
  readonly input: Input;
  readonly output: Output;
  /**
   * The kind of target that the tool acts on. The target is found before the tool runs, with the same errors for all
   * tools.
   */
  readonly needs: N;
  /** The capability that the session's adapter must have (DAP `Capabilities`). Only for tools that need a session. */
  readonly capability?: Capability;
  /** The text that is shown while the tool runs: a present participle, without dots. */
  readonly doing: (input: z.output<Input>) => string;
  /**
   * Returns the question to the person before the tool runs. Required unless the effect is `read`.
   * @throws Failure if the call would fail
   */
  readonly question?: (
    context: Omit<RunContext<z.output<Input>, N>, 'call'>,
  ) => Question | Promise<Question>;
  /**
   * Returns the consent that a call needs, if it differs from the tool's effect. The evaluation of an expression is a
   * `change`.
   */
  readonly consent?: (context: Omit<RunContext<z.output<Input>, N>, 'call' | 'target'>) => Consent;
  /**
   * The parameter without which a call only reads. Such a call asks nobody and needs no trust, although the effect of
   * the tool is the one with the parameter.
   */
  readonly asksWith?: keyof z.output<Input> & string;
  /**
   * Whether the result can be stored as evidence of an investigation. The pipeline then accepts `sid` in addition to
   * the tool's parameters.
   */
  readonly evidence?: true;
  /**
   * Returns the files whose lines the call may return. The person is asked about files outside the workspace,
   * regardless of the effect.
   */
  readonly files?: (input: z.output<Input>) => readonly (string | undefined)[];
  readonly run: (context: RunContext<z.output<Input>, N>) => Promise<z.input<Output>>;
}

/** The parameters with which a caller names the target. */
type TargetIds = Readonly<Record<string, unknown>>;

/** A declared tool. The types of its input and target are not visible outside. */
export interface Tool {
  readonly name: string;
  readonly set: ToolSet;
  readonly effect: Effect;
  readonly title: string;
  readonly userDescription: string;
  readonly modelDescription: string;
  readonly icon: string;
  /** The parameter without which a call only reads, and asks nobody. Undefined if each call has the effect. */
  readonly asksWith: string | undefined;
  /** All parameters: the tool's own, and those that name its target. */
  readonly input: z.ZodObject;
  /** Whether the tool also accepts `sid`. Its result is then stored as evidence of an investigation. */
  readonly evidence: boolean;
  readonly output: z.ZodObject;
  /**
   * Checks the input of one call.
   * @throws Failure `invalid_input`, which names each invalid parameter and the expected value
   */
  check(input: unknown): CheckedCall;
}

/** One call whose input has been checked. */
export interface CheckedCall {
  /** The input, with defaults filled in. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The text that is shown while the tool runs, without dots. */
  readonly doing: string;
  /** The investigation in which the result will be stored. */
  readonly sid: string | undefined;
  /** The consent that the call needs. Undefined for a read-only call. */
  consent(services: ToolServices): Consent | undefined;
  /**
   * Returns the real paths of the files that the call may read only after the person has approved the question.
   * @throws Failure
   */
  outside(services: ToolServices): Promise<readonly string[]>;
  /**
   * Returns the question to the person, or undefined if the person is not asked.
   * @throws Failure if the call would fail
   */
  question(services: ToolServices): Promise<Question | undefined>;
  /** Finds the target and runs the tool. */
  run(services: ToolServices, call: Call): Promise<ToolResult>;
}

/**
 * Declares a tool. The manifest, both registrations, the reference documentation and the checks are derived from the
 * declaration.
 */
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
    asksWith: spec.asksWith,
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

/** The parameter that names the investigation in which a result is stored. */
export const EVIDENCE = z.object({ sid: sid.optional() });
const NO_EVIDENCE = z.object({});

/**
 * Returns the tool's own parameters. A value that is not an object is returned unchanged, so that the schema refuses
 * it.
 */
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
    const { effect, consent, asksWith } = this.spec;
    if (effect === 'read') return undefined;
    if (asksWith !== undefined && this.own[asksWith] === undefined) return undefined;
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
    return { ...asked, ...defined({ about }) };
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

  /** Finds the target and checks the capability that the tool requires of its adapter. @throws Failure */
  private async target(services: ToolServices): Promise<Targets[N]> {
    const target = await resolveTarget(this.spec.needs, this.input, services);
    const { capability, name } = this.spec;
    if (capability !== undefined && target !== undefined && 'session' in target)
      requireCapability(target.session, capability, name);
    return target;
  }

  /**
   * Checks that the call still acts on the target that the person was asked about.
   * @throws Failure `moved_meanwhile`
   */
  private async checkAsked(
    target: Targets[N],
    services: ToolServices,
    question: Question,
  ): Promise<void> {
    const about = identityOf(target, services);
    // Without a target, the text of the question shows its subject, such as the text of a line or a configuration.
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

/**
 * Returns the services of a call. If the person has approved the call, it may read the files that the question named.
 */
function approvedFor(call: Call, services: ToolServices): ToolServices {
  const files = call.prepared?.kind === 'asked' ? (call.prepared.question.files ?? []) : [];
  return files.length === 0
    ? services
    : { ...services, workspace: services.workspace.approving(files) };
}

function aboutOutside(files: readonly string[]): string {
  return l10n.t(
    '{0} is **outside the workspace**. The agent may see lines of it.',
    listed(files.map((file) => code(file, MAX_OF_A_PATH))),
  );
}

/** The maximum length of a path. Paths are shown completely, because the person's decision depends on them. */
const MAX_OF_A_PATH = 4096;

function asResult(result: Readonly<Record<string, unknown>>): ToolResult {
  const { status, ...rest } = result;
  return { status: String(status), ...rest };
}

/** Returns the result of a tool that completed its request. */
export function success<Data extends object>(data: Data): { readonly status: 'success' } & Data {
  return { status: 'success', ...data };
}
