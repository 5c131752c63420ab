import * as l10n from '@vscode/l10n';
import { adapterOf } from '../../debugger/adapters/registry';
import { Failure } from '../../results/failure';
import { absolute, shortPath } from '../files/files';
import { MAX_WHOLE, tooLong, wholeCode } from '../question';
import type { InputContent, InputFile, ToolServices } from '../services';
import type { StartPlan } from './launchPlan';
import type { StartInput } from './startInput';

/** The parameters of a start that are about standard input. */
export type RequestedInput = Partial<Pick<StartInput, 'stdin' | 'stdin_file' | 'stdin_open'>>;

/** A path like the one that a program gets, to find out beforehand whether its debugger takes one. */
const SOME_PATH = '/input';

function isRequested({ stdin, stdin_file: file, stdin_open: open }: RequestedInput): boolean {
  return stdin !== undefined || file !== undefined || open === true;
}

/**
 * Checks that the program of a plan can get the standard input that the call passes.
 * @throws Failure `invalid_input`, `not_supported`
 */
export function checkStandardInput(
  { workspace }: Pick<ToolServices, 'workspace'>,
  requested: RequestedInput,
  plan: StartPlan,
): void {
  if (!isRequested(requested)) return;
  if (
    requested.stdin_file !== undefined &&
    (requested.stdin !== undefined || requested.stdin_open === true)
  )
    throw new Failure(
      'invalid_input',
      l10n.t('stdin_file cannot be combined with stdin or stdin_open.'),
      'Pass only one of them. Nothing was started.',
    );
  const { length } = requested.stdin ?? '';
  if (length > MAX_WHOLE) throw tooLong(length, MAX_WHOLE);
  const [launch] = plan.launches;
  if (launch === undefined || plan.isCompound || launch.configuration['request'] === 'attach')
    throw new Failure(
      'invalid_input',
      l10n.t('Only a single program that is started can get a standard input.'),
      'Start one program, without attach. Nothing was started.',
    );
  if (workspace.platform === 'windows' || withPath(launch, SOME_PATH) === undefined)
    throw notSupported(launch.type, workspace.platform === 'windows');
}

function withPath(
  { type, configuration }: StartPlan['launches'][number],
  path: string,
): StartPlan['launches'][number]['configuration'] | undefined {
  return adapterOf(type).readingFrom?.(configuration, path);
}

function notSupported(type: string, isWindows: boolean): Failure {
  if (isWindows)
    return new Failure(
      'not_supported',
      l10n.t('On Windows, a call cannot give a program its standard input.'),
      'Leave out stdin, stdin_file and stdin_open; let the program read a file, or ask the person to type into its terminal. Nothing was started.',
    );
  return new Failure(
    'not_supported',
    l10n.t('The debugger “{0}” cannot start this program with a standard input.', type),
    'Node, Python, Go, Java and lldb-dap can. lldb-dap: without runInTerminal, stdio and launchCommands. Java: without line breaks, ~ and redirections in args and vmArgs. Nothing was started.',
  );
}

/** Returns the line about the standard input for the question, in Markdown. @throws Failure */
export async function standardInputLines(
  services: ToolServices,
  requested: RequestedInput,
): Promise<readonly string[]> {
  const { stdin = '', stdin_file: file, stdin_open: open = false } = requested;
  if (!isRequested(requested)) return [];
  if (file !== undefined)
    return [
      l10n.t(
        'Its standard input is the file {0}',
        wholeCode(shortPath(services, await inputFile(services, file))),
      ),
    ];
  if (!open)
    return [
      stdin === ''
        ? l10n.t('Its standard input is empty')
        : l10n.t('Its standard input is {0}', wholeCode(stdin)),
    ];
  return [
    stdin === ''
      ? l10n.t('Its standard input stays open for further calls')
      : l10n.t(
          'Its standard input begins with {0} and stays open for further calls',
          wholeCode(stdin),
        ),
  ];
}

/** @throws Failure `file_not_found`, `invalid_input` */
async function inputFile(services: ToolServices, file: string): Promise<string> {
  const found = await absolute(services, file);
  if ((await services.workspace.exists(found)) === false)
    throw new Failure(
      'file_not_found',
      l10n.t('There is no file {0}.', found),
      'Pass the path of an existing file as stdin_file.',
    );
  if (await services.workspace.isFolder(found))
    throw new Failure(
      'invalid_input',
      l10n.t('{0} is a folder.', found),
      'Pass the path of a file as stdin_file.',
    );
  return found;
}

/** A plan whose program reads the standard input that the call passes, if it passes one. */
export interface PlanWithInput {
  readonly plan: StartPlan;
  readonly input: InputFile | undefined;
}

/** Makes the standard input of a start. */
export async function withStandardInput(
  services: ToolServices,
  requested: RequestedInput,
  plan: StartPlan,
): Promise<PlanWithInput> {
  const [launch] = plan.launches;
  if (launch === undefined || !isRequested(requested)) return { plan, input: undefined };
  const { stdin = '', stdin_file: file, stdin_open: open = false } = requested;
  const content: InputContent = {
    text: stdin,
    file: file === undefined ? undefined : await inputFile(services, file),
    staysOpen: open,
  };
  const input = await services.inputs.make(content);
  const configuration = withPath(launch, input.path);
  if (configuration === undefined) {
    await input.remove();
    throw notSupported(launch.type, false);
  }
  return { plan: { ...plan, launches: [{ ...launch, configuration }] }, input };
}
