import * as l10n from '@vscode/l10n';
import { oneLine } from '../tools/question';

/** Creates requests to an agent. The first line names the subject, the second line the task. */

/** The maximum number of characters that a request quotes of a message, and of a name or path. */
const MAX_OF_A_MESSAGE = 300;
const MAX_OF_A_NAME = 120;

/** A `file:line` in the form that the person knows, or only a file. */
export interface NamedPlace {
  readonly file: string;
  readonly line: number | undefined;
}

export function exceptionRequest(exception: {
  readonly what: string | undefined;
  readonly place: NamedPlace | undefined;
}): string {
  const place = placeText(exception.place);
  const what = exception.what === undefined ? undefined : quoted(exception.what, MAX_OF_A_MESSAGE);
  return lines(
    stoppedAt(what, place),
    l10n.t(
      'Look at the call stack and the values with the debugger, find the cause, and show me the line that is wrong.',
    ),
  );
}

function stoppedAt(what: string | undefined, place: string | undefined): string {
  if (what === undefined)
    return place === undefined
      ? l10n.t('The program is stopped at an exception.')
      : l10n.t('The program is stopped at an exception in {0}.', place);
  return place === undefined
    ? l10n.t('The program is stopped at an exception: {0}', what)
    : l10n.t('The program is stopped at an exception in {0}: {1}', place, what);
}

export function testRequest(test: {
  readonly name: string;
  readonly place: NamedPlace | undefined;
  readonly message: string | undefined;
}): string {
  const place = placeText(test.place);
  const name = `“${quoted(test.name, MAX_OF_A_NAME)}”`;
  const which = place === undefined ? name : l10n.t('{0} in {1}', name, place);
  const facts =
    test.message === undefined
      ? l10n.t('The test {0} fails.', which)
      : l10n.t('The test {0} fails: {1}', which, quoted(test.message, MAX_OF_A_MESSAGE));
  return lines(
    facts,
    l10n.t(
      'Run it with debug_test, follow the wrong value with trace_function or collect_values, and show me the line that is wrong.',
    ),
  );
}

export function problemRequest(problem: {
  readonly place: NamedPlace;
  readonly message: string;
}): string {
  const facts = l10n.t(
    'VS Code reports a problem in {0}: {1}',
    placeText(problem.place) ?? '',
    quoted(problem.message, MAX_OF_A_MESSAGE),
  );
  return lines(
    facts,
    l10n.t(
      'Run that code under the debugger, look at the values there, find the cause, and show me the line that is wrong.',
    ),
  );
}

/** @param isStopped whether a program is already stopped and is inspected instead of started */
export function placeRequest(place: NamedPlace | undefined, isStopped = false): string {
  const where = placeText(place);
  if (isStopped) {
    const facts =
      where === undefined
        ? l10n.t('The program is stopped.')
        : l10n.t('The program is stopped, and I am looking at {0}.', where);
    return lines(
      facts,
      l10n.t(
        'Look at the call stack and the values with the debugger, go on step by step where that helps, and tell me whether the values are right.',
      ),
    );
  }
  if (where === undefined)
    return lines(
      l10n.t('This program does not do what it should.'),
      l10n.t('Debug it: set a breakpoint, look at the values, and show me the line that is wrong.'),
    );
  return lines(
    l10n.t('What happens in {0}?', where),
    l10n.t(
      'Set a breakpoint there, run the program under the debugger, look at the values, and tell me whether they are right.',
    ),
  );
}

function lines(facts: string, task: string): string {
  return `${facts}\n${task}`;
}

function placeText(place: NamedPlace | undefined): string | undefined {
  if (place === undefined) return undefined;
  const file = quoted(place.file, MAX_OF_A_NAME);
  return place.line === undefined ? file : `${file}:${place.line}`;
}

/**
 * Formats external text as one line. `#` and `@` at the start of a word would name tools and agents, so a space is
 * added after them.
 */
function quoted(text: string, most: number): string {
  return oneLine(text, most).replace(/(?<=^|\s)[#@]+(?!\s|[#@])/gu, '$& ');
}
