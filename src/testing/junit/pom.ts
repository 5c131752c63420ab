/** What begins and ends the parts of XML that are no elements. */
const BRACKETS = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
] as const;

/** An element of XML with the names of the elements around it, and the text at its beginning. */
interface Element {
  readonly names: readonly string[];
  readonly text: string;
}

/** Elements further inside are left out. */
const MAX_DEPTH = 12;

/** Lists the elements of a text in XML. It reads the text once. */
function* elementsOf(xml: string): Generator<Element> {
  const names: string[] = [];
  let depth = 0;
  for (let at = xml.indexOf('<'); at !== -1;) {
    const [open, close] = BRACKETS.find(([begin]) => xml.startsWith(begin, at)) ?? ['<', '>'];
    const end = xml.indexOf(close, at + open.length);
    if (end === -1) return;
    const tag = open === '<' ? xml.slice(at + 1, end) : '!';
    const next = xml.indexOf('<', end + close.length);
    if (tag.startsWith('/')) depth -= 1;
    else if (!/^[!?]/.test(tag)) {
      if (depth < MAX_DEPTH) {
        names.splice(Math.max(0, depth), Infinity, /^[^\s/]*/.exec(tag)?.[0] ?? '');
        yield { names, text: xml.slice(end + 1, next === -1 ? undefined : next).trim() };
      }
      if (!tag.endsWith('/')) depth += 1;
    }
    at = next;
  }
}

/** Returns the artifact id of the project itself, not of its parent or its dependencies. */
export function artifactOf(pom: string): string | undefined {
  for (const { names, text } of elementsOf(pom))
    if (names.length === 2 && names[1] === 'artifactId' && text !== '') return text;
  return undefined;
}

/** How Maven runs the tests: the options of Java, and the environment. */
export interface TestOptions {
  readonly vmArgs: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const SUREFIRE = 'project/build/plugins/plugin/';

/**
 * Returns the options that a pom sets for its tests, in the configuration of Maven's Surefire. Values with properties
 * that the pom itself does not have are left out.
 */
export function testOptionsOf(pom: string, folder: string): TestOptions {
  const properties = new Map([
    ['basedir', folder],
    ['project.basedir', folder],
    // Other plug-ins, such as for coverage, set this one.
    ['argLine', ''],
  ]);
  const vmArgs: string[] = [];
  const env: Record<string, string> = {};
  let artifact = '';
  const settings: (readonly [section: string, name: string, text: string])[] = [];
  for (const { names, text } of elementsOf(pom)) {
    const place = names.join('/');
    const [, section = '', name = ''] =
      /^project\/build\/plugins\/plugin\/configuration\/(\w+)(?:\/([^/]+))?$/.exec(place) ?? [];
    if (place === 'project/build/plugins/plugin') artifact = '';
    else if (place === `${SUREFIRE}artifactId`) artifact = text;
    else if (names.length === 3 && names[1] === 'properties') properties.set(names[2] ?? '', text);
    else if (artifact === 'maven-surefire-plugin') settings.push([section, name, text]);
  }
  for (const [section, name, text] of settings) {
    const value = filled(text, properties);
    if (value === undefined) continue;
    if (section === 'argLine') vmArgs.push(...wordsOf(value));
    if (name === '') continue;
    if (section === 'systemPropertyVariables') vmArgs.push(`-D${name}=${value}`);
    if (section === 'environmentVariables') env[name] = value;
  }
  return { vmArgs, env };
}

/** Inserts the values of properties, which are written `${name}`, or `@{name}` if they are known only later. */
function filled(text: string, properties: ReadonlyMap<string, string>): string | undefined {
  const missing = [...text.matchAll(/[$@]\{([^{}]*)\}/g)].some(
    ([, name = '']) => !properties.has(name),
  );
  return missing
    ? undefined
    : text.replace(/[$@]\{([^{}]*)\}/g, (_, name: string) => properties.get(name) ?? '');
}

/** Splits a command line. A part may be in quotes. */
function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)].map(([word]) =>
    word.replace(/["']/g, ''),
  );
}
