import {join} from 'node:path';
import {type Finding, pass, warn} from '../../../domain/finding.ts';
import {isSamePath} from '../../../domain/paths.ts';
import {isByHeader} from '../../../domain/token-request.ts';
import {inspectToken} from '../../../domain/tokens.ts';
import {phrase, type Text, withFlags} from '../../../errors/remedy.ts';
import type {Platform} from '../../../platform/platform.ts';
import type {FileContents} from '../../../ports/storage.ts';
import {ago, cleanText, duration} from '../../../text.ts';
import {
  type CliContext,
  type CliValues,
  contextIn,
  isSameServer,
  readCliValues,
  textIn,
} from '../../own-cli/cli-file.ts';
import {type CliSignIn, cliSignIn} from '../../own-cli/compose-cli.ts';
import {type Check, loginCommand, type Subject, setUpCommand} from '../check.ts';

type OwnCli = NonNullable<Platform['ownCli']>;

/**
 * The platform's own CLI, which keeps a sign-in and an address of its own. The check reads its file and does not run
 * it, because any run would write into the person's home.
 */
export const ownCli = (cli: OwnCli): Check => ({
  id: 'own-cli',
  title: `The platform’s CLI, ${cli.name}`,
  needs: [],
  run: async ({ports, machine: {place}, subject}): Promise<Finding> => {
    const path = join(place.home, ...cli.configPath);
    const contents = await ports.files.read(path);
    if (!contents) return {verdict: 'skipped', saw: `${cli.name} has not been used here`};
    const values = await readCliValues(contents.bytes.toString('utf8'));
    const finding = lookAt(values, contents, {cli, path, subject, now: ports.clock.now()});
    // This program can write again what it has written before.
    const known = subject.context?.cli;
    const isOurs = known !== undefined && isSamePath(known.path, path);
    return finding.verdict === 'warning' && isOurs ? {...finding, fix: 'own-cli'} : finding;
  },
});

type Look = {readonly cli: OwnCli; readonly path: string; readonly subject: Subject; readonly now: number};

const lookAt = (values: CliValues | undefined, {mode}: FileContents, look: Look): Finding => {
  const {cli, path, subject} = look;
  const {name} = cli;
  if (!values) {
    const sentence = `${name} can’t read its own file, ${path}.`;
    return warn(path, sentence, `Fix the file, or move it away: ${name} makes a new one.`);
  }
  if ((mode & 0o077) !== 0 && process.platform !== 'win32') {
    const saw = `${path}, mode ${mode.toString(8)}`;
    return warn(saw, `Others on this machine can read the secrets of ${name}.`, `Fix: chmod 600 ${path}.`);
  }
  const {currentContext} = values;
  if (currentContext === undefined) {
    return warn(
      'no current context',
      `${name} has no current context, so it has no platform to connect to.`,
      enter(look),
    );
  }
  const current = cleanText(currentContext);
  const found = contextIn(values, currentContext);
  if (!found?.url) {
    const lacks = found
      ? `The current context of ${name}, ${current}, has no control plane`
      : `The current context of ${name}, ${current}, does not exist`;
    return warn(`context ${current}`, `${lacks}, so ${name} has no platform to connect to.`, enter(look));
  }
  const url = cleanText(found.url);
  const saw = `context ${current}, ${url}`;
  if (isSameServer(url, subject.controlPlaneUrl)) return lookAtSignIn(found, saw, look);
  return warn(
    saw,
    `${name} uses ${url}, but this deployment is at ${subject.controlPlaneUrl}.`,
    `To use this deployment in ${name}, change the control plane’s address there to ${subject.controlPlaneUrl}: see ${name} config --help.`,
  );
};

const lookAtSignIn = ({credentials}: CliContext, saw: string, look: Look): Finding => {
  const {cli, subject, now} = look;
  const {name} = cli;
  const signIn = cliSignIn(credentials, now);
  if (!signIn) return warn(`${saw}, signed out`, `${name} is not signed in to this deployment.`, signInAgain(look));
  const {issuer, warnings} = inspectToken(signIn.token, subject.issuer, now);
  const [problem] = signIn.left > 0 ? warnings : [];
  if (problem) {
    const why = issuer === undefined ? 'has a token that does not work here' : 'is signed in elsewhere';
    return warn(`${saw}, a token that does not match this deployment`, `${name} ${why}. ${problem}`, signInAgain(look));
  }
  const left = signIn.left > 0 ? `${duration(signIn.left)} left` : 'token expired';
  const wrong = whyNotRenewed(signIn, credentials, look);
  if (wrong === undefined) return pass(`${saw}, ${left}, renewed when needed`);
  if (signIn.left > 0) return pass(`${saw}, ${left}, cannot be renewed: ${wrong}`);
  const [shown, token] =
    signIn.endedAt === undefined
      ? ['token not readable', 'has a token that it cannot read']
      : ['token expired', `has a token that expired ${ago(now - signIn.endedAt)}`];
  return warn(`${saw}, ${shown}`, `${name} ${token}, and it cannot renew the token: ${wrong}.`, signInAgain(look));
};

/** Returns why the CLI cannot renew its token by itself; undefined if it can. */
const whyNotRenewed = (
  {renewal}: CliSignIn,
  credentials: CliContext['credentials'],
  {subject: {context}}: Look,
): string | undefined => {
  if (renewal === 'refresh-token') return undefined;
  if (renewal === 'refresh-token-ended') return 'its refresh token has expired';
  if (renewal === 'none') return 'it has neither a refresh token nor the secret of a client';
  const clientId = textIn(credentials, 'clientId');
  const isOfNoUse = context !== undefined && isByHeader(context.signIn) && context.clientId === clientId;
  return isOfNoUse
    ? `it sends the secret of ${clientId} in the request body, but that client needs it in the header`
    : undefined;
};

/** Says how to add the deployment to the file. */
const enter = ({subject}: Look): Text =>
  subject.context?.cli
    ? phrase`Write this deployment to it again: ${loginCommand(subject)}.`
    : phrase`Add this deployment to it: ${withFlags(setUpCommand(subject), '--cli-config')}.`;

const signInAgain = ({cli: {name}, subject}: Look): Text =>
  subject.context?.cli
    ? phrase`Sign it in again: ${loginCommand(subject)}.`
    : phrase`Sign it in: ${name} login, or ${withFlags(setUpCommand(subject), '--cli-config')}.`;
