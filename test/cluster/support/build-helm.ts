import {execFile} from 'node:child_process';
import {mkdirSync} from 'node:fs';
import {promisify} from 'node:util';
import {HELM_VERSION, helm, helmDirectory, onPath, tools} from './tools.ts';

/** Time for the first build of Helm, which takes minutes. In milliseconds. */
const BUILD_TIMEOUT = 1_200_000;

/** Builds Helm with Go once, if the machine has none. Reports the reason if the tests are skipped. */
export const setup = async (): Promise<void> => {
  if (helm() === undefined && onPath('kubectl') !== undefined && onPath('go') !== undefined) await build();
  const found = tools();
  if ('missing' in found) say(`The tests of the cluster are left out: ${found.missing}.`);
};

const build = async (): Promise<void> => {
  say(`Building helm ${HELM_VERSION} with Go, once; this takes some minutes.`);
  mkdirSync(helmDirectory, {recursive: true});
  const env = {...process.env, GOBIN: helmDirectory};
  const args = ['install', `helm.sh/helm/v3/cmd/helm@${HELM_VERSION}`];
  await promisify(execFile)('go', args, {env, timeout: BUILD_TIMEOUT}).catch((error: Error) => say(error.message));
};

const say = (line: string) => void process.stderr.write(`${line}\n`);
