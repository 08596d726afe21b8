import {execFile} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, renameSync, rmSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {promisify} from 'node:util';
import {onPath} from '../../cluster/support/tools.ts';
import {cache} from './cache.ts';

/** The version to test unless another is named: companies run older ones for years. */
export const KEYCLOAK_VERSION = process.env.KEYCLOAK_VERSION || '26.4.7';

/**
 * True if it binds tokens to keys (DPoP) and takes pushed requests from clients without a secret. Versions of 2023 do
 * neither.
 */
export const isRecent = Number.parseInt(KEYCLOAK_VERSION, 10) >= 26;

/** Returns rows of a table that only a recent release has. */
export const ifRecent = <Row>(...rows: Row[]): Row[] => (isRecent ? rows : []);

/** The oldest Java on which it runs. */
const OLDEST_JAVA = 17;

const run = promisify(execFile);

/** The directory in which it is kept, unpacked, after the first run. */
const directory = join(cache, `keycloak-${KEYCLOAK_VERSION}`);

/** Returns the program that starts it, fetched with Maven in the first run, or the reason why that is impossible. */
export const installKeycloak = async (): Promise<{readonly program: string} | {readonly missing: string}> => {
  const missing = (await missingJava()) ?? missingMaven();
  if (missing !== undefined) return {missing};
  const program = join(directory, 'bin', 'kc.sh');
  if (existsSync(program)) return {program};
  mkdirSync(cache, {recursive: true});
  const unpacked = mkdtempSync(join(cache, 'unpacking-'));
  const artifact = `org.keycloak:keycloak-quarkus-dist:${KEYCLOAK_VERSION}:zip`;
  try {
    const places = [`-DoutputDirectory=${unpacked}`, `-DmarkersDirectory=${join(unpacked, 'markers')}`];
    await run('mvn', ['-q', '-B', 'dependency:unpack', `-Dartifact=${artifact}`, ...places], {cwd: unpacked});
    // Moved as a whole, so that an interrupted run leaves no partial copy.
    renameSync(join(unpacked, `keycloak-${KEYCLOAK_VERSION}`), directory);
    return {program};
  } catch (error) {
    if (existsSync(program)) return {program};
    return {missing: `Maven could not fetch ${artifact}: ${error instanceof Error ? error.message : error}`};
  } finally {
    rmSync(unpacked, {recursive: true, force: true});
  }
};

const missingJava = async (): Promise<string | undefined> => {
  const java = process.env.JAVA_HOME ? join(process.env.JAVA_HOME, 'bin', 'java') : onPath('java');
  if (java === undefined) return `no Java is installed, and Keycloak wants ${OLDEST_JAVA} or newer`;
  const {stderr} = await run(java, ['-version']).catch(() => ({stderr: ''}));
  const version = Number(/version "(?:1\.)?(\d+)/.exec(stderr)?.[1] ?? 0);
  return version >= OLDEST_JAVA ? undefined : `${dirname(java)} has Java ${version}, and Keycloak wants ${OLDEST_JAVA}`;
};

/** An unpacked Keycloak needs no Maven. */
const missingMaven = (): string | undefined =>
  existsSync(directory) || onPath('mvn') !== undefined ? undefined : 'no Maven is installed, which fetches Keycloak';
