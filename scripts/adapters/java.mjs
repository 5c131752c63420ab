// @ts-check
/** A JDK that the Java language server runs on, the server, its debugger, and JUnit. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { npmFolder } from '../npmFolder.mjs';
import { ensureDebianPackages } from '../vscodeHost/setup.mjs';
import {
  ADAPTERS_FOLDER,
  ended,
  isProgram,
  log,
  MissingToolchain,
  programInPath,
} from './programs.mjs';

/** The versions of the JDK that the language server of this version reads and runs on. */
const JDK = { least: 17, most: 21 };
const SERVER = ['coc-java@1.14.1', 'coc-java-debug@1.0.0'];
const DEBIAN_JDK = 'openjdk-17-jdk-headless';
const INSTALLED = '/usr/lib/jvm';
const DEBIAN_JARS = '/usr/share/java';

/** @typedef {import('./toolchain.mjs').Chosen} Chosen */

/** The JDK of JAVA_HOME, of the path, or another installed one. @returns {Chosen} */
export function chooseJdk() {
  const present = installedJdk();
  if (present) return present;
  try {
    ensureDebianPackages([{ package: DEBIAN_JDK, found: () => installedJdk() !== undefined }], log);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new MissingToolchain('JDK', reason, `apt-get install ${DEBIAN_JDK}`);
  }
  const installed = installedJdk();
  if (installed) return installed;
  const reason = `no JDK of version ${JDK.least} to ${JDK.most}`;
  throw new MissingToolchain('JDK', reason, `apt-get install ${DEBIAN_JDK}`);
}

/** @returns {Chosen | undefined} */
function installedJdk() {
  const homes = existsSync(INSTALLED)
    ? readdirSync(INSTALLED).map((name) => path.join(INSTALLED, name))
    : [];
  const inPath = programInPath('java');
  const candidates = [
    ...(process.env.JAVA_HOME ? [path.join(process.env.JAVA_HOME, 'bin/java')] : []),
    ...(inPath ? [inPath] : []),
    ...homes.map((home) => path.join(home, 'bin/java')),
  ];
  for (const java of candidates) {
    const version = isJdk(java) ? releaseOf(java) : undefined;
    if (version !== undefined && fits(version)) return { path: java, version };
  }
  return undefined;
}

/** @param {string} java */
const isJdk = (java) => isProgram(java) && isProgram(path.join(path.dirname(java), 'javac'));

/** Such as `17.0.15 (Debian)`. @param {string} java */
function releaseOf(java) {
  const { isOk, output } = ended(java, ['-XshowSettings:properties', '-version']);
  if (!isOk) return undefined;
  const property = (/** @type {string} */ name) =>
    new RegExp(`^\\s*${name} = (.*)$`, 'm').exec(output)?.[1]?.trim() ?? 'unknown';
  return `${property('java.version')} (${property('java.vendor')})`;
}

/** @param {string} version */
function fits(version) {
  const major = Number.parseInt(version, 10);
  return major >= JDK.least && major <= JDK.most;
}

/** @returns {Chosen} */
export function installServer() {
  npmFolder({
    title: 'adapters',
    folder: ADAPTERS_FOLDER,
    packages: SERVER,
    versions: SERVER.map((each) => each.replace('@', '-')),
  });
  const folder = path.join(ADAPTERS_FOLDER, 'node_modules', 'coc-java');
  const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  return { path: folder, version };
}

/** Debian's JUnit, which the fixture's project names. @returns {{ junit4: Chosen, junit5: Chosen }} */
export function chooseJUnit() {
  const jars = { junit4: 'junit4.jar', junit5: 'junit-jupiter-engine.jar' };
  const has = (/** @type {string} */ jar) => existsSync(path.join(DEBIAN_JARS, jar));
  try {
    ensureDebianPackages(
      [
        { package: 'junit4', found: () => has(jars.junit4) },
        { package: 'junit5', found: () => has(jars.junit5) },
      ],
      log,
    );
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new MissingToolchain('JUnit', reason, 'apt-get install junit4 junit5');
  }
  const at = (/** @type {string} */ jar) => ({
    path: path.join(DEBIAN_JARS, jar),
    version: versionOfJar(jar),
  });
  return { junit4: at(jars.junit4), junit5: at(jars.junit5) };
}

/** Debian keeps each jar also under a name with its version. @param {string} jar */
function versionOfJar(jar) {
  const pattern = new RegExp(`^${jar.replace('.jar', '')}-(\\d[\\d.]*)\\.jar$`);
  return (
    readdirSync(DEBIAN_JARS)
      .map((name) => pattern.exec(name)?.[1])
      .find((version) => version !== undefined) ?? 'unknown'
  );
}
