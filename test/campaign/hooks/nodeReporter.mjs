// @ts-check
/** A reporter for `node --test`: one JSON object a line for each test without subtests. */

/** @param {any} error */
const causeOf = (error) =>
  error?.code === 'ERR_TEST_FAILURE' && error.cause !== undefined ? error.cause : error;

/** @param {AsyncIterable<{ type: string, data: any }>} source */
export default async function* report(source) {
  /** The names of the tests that are running in a file, by their depth. @type {Map<string, string[]>} */
  const names = new Map();
  for await (const { type, data } of source) {
    const { file = '', name, nesting = 0 } = data ?? {};
    if (type === 'test:start') {
      const path = (names.get(file) ?? []).slice(0, nesting);
      names.set(file, [...path, name]);
    }
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const path = [...(names.get(file) ?? []).slice(0, nesting), name];
    const { error, type: kind } = data.details ?? {};
    if (kind === 'suite' || data.skip || data.todo) continue;
    const cause = causeOf(error);
    yield `${JSON.stringify({
      path,
      file,
      line: data.line,
      passed: type === 'test:pass',
      failureType: error?.failureType,
      message: cause?.message ?? String(cause),
      stack: cause?.stack ?? '',
    })}\n`;
  }
}
