// @ts-check
/** Versions of JUnit from Maven Central, for the tests of debug_test. Without Maven, these tests are skipped. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ended, lastLines, programInPath } from '../adapters/programs.mjs';

/** The last versions of each line, and the versions of the platform that belong to them. */
const VERSIONS = {
  '5.11.4': '1.11.4',
  '5.12.2': '1.12.2',
  '5.13.4': '1.13.4',
  '5.14.4': '1.14.4',
  '6.0.0': '6.0.0',
};
const LAUNCHER = 'junit-platform-launcher';

/** @param {string} group @param {string} artifact @param {string} version */
const dependency = (group, artifact, version) =>
  `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`;

/**
 * Copies the jars of each version to `<folder>/<version>/lib`, and that of the launcher, which projects rarely name, to
 * `<folder>/<version>/launcher`.
 * @param {string} folder
 */
export function installJUnit(folder) {
  const maven = programInPath(process.platform === 'win32' ? 'mvn.cmd' : 'mvn');
  if (maven === undefined) {
    console.log(
      '[test runners] no mvn in the path, so the tests of several versions of JUnit are skipped',
    );
    return;
  }
  for (const [version, platform] of Object.entries(VERSIONS)) {
    const target = path.join(folder, version);
    const stamp = path.join(target, '.done');
    if (existsSync(stamp)) continue;
    console.log(`[test runners] downloading JUnit ${version}`);
    rmSync(target, { recursive: true, force: true });
    mkdirSync(target, { recursive: true });
    const dependencies = [
      dependency('org.junit.jupiter', 'junit-jupiter', version),
      dependency('org.junit.platform', LAUNCHER, platform),
    ];
    writeFileSync(
      path.join(target, 'pom.xml'),
      `<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>a</artifactId><version>1</version>
<dependencies>${dependencies.join('')}</dependencies></project>`,
    );
    for (const options of [
      ['-DoutputDirectory=lib', `-DexcludeArtifactIds=${LAUNCHER}`],
      ['-DoutputDirectory=launcher', `-DincludeArtifactIds=${LAUNCHER}`],
    ]) {
      const { isOk, output } = ended(
        maven,
        ['-q', '-B', 'dependency:copy-dependencies', ...options],
        {
          cwd: target,
          shell: process.platform === 'win32',
        },
      );
      if (isOk) continue;
      console.error(`[test runners] Maven failed for JUnit ${version}:\n${lastLines(output)}`);
      process.exit(1);
    }
    writeFileSync(stamp, '');
  }
  console.log(`[test runners] ready: JUnit ${Object.keys(VERSIONS).join(', ')}`);
}
