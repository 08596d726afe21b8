import {describeError} from '../errors/describe-error.ts';
import {type About, SetupError, toSetupError} from '../errors/errors.ts';
import {type ServerName, verdictOnCode} from '../errors/verdict.ts';
import {type Untrusted, untrustedLines} from '../flows/deployment/untrusted.ts';
import {capitalized} from '../sentence.ts';
import type {Failure, StepId, WizardState} from './model.ts';
import {secretsOf} from './view/names.ts';

/** Returns the texts for a server whose certificate this machine does not trust, with the certificate's signer. */
const withWhoSigned = (
  {message, remedy, advice}: Pick<Failure, 'message' | 'remedy' | 'advice'>,
  untrusted: Untrusted,
) => {
  const {origin, interceptor} = untrusted;
  const block = untrustedLines(untrusted).join('\n');
  if (interceptor === undefined) {
    const compare = 'Compare the fingerprint with the one that the platform’s operators give you.';
    const known = untrusted.isWhole ? {remedy: `${compare} ${inCommands}`, advice: compare} : {remedy, advice};
    return {message, ...known, block, untrusted};
  }
  return {
    message: `${interceptor} intercepts the connection to ${origin}, and signs with a certificate authority that this machine doesn’t know.`,
    remedy: `${ifExpected} ${byFile}`,
    advice: ifExpected,
    block,
    untrusted,
  };
};

const ifExpected =
  'If your company runs it, get its certificate authority from your administrators. If you did not expect it, stop.';

const byFile = 'To trust it in a command, save it to a file and pass --ca-file FILE.';

const inCommands =
  'To trust the authority in a command, get its certificate from them too, and pass it with --ca-file FILE.';

/** Turns an error into what is shown. `untrusted` describes the signer of a server that this machine does not trust. */
export const failureOf = (
  error: unknown,
  step: StepId,
  {created, facts: learned, settings, answers}: WizardState,
  untrusted?: Untrusted,
): Failure => {
  const known = toSetupError(error);
  const {code, message: text, about: facts} = known;
  const {remedy: typed, block: own, whose} = describeError(known, {signIn: settings.signInCommand});
  const {remedy: asked} = describeError(known, {isAsked: true});
  const described = {message: text, remedy: typed, advice: asked, ...(own === undefined ? {} : {block: own})};
  const {message, remedy, advice, ...more} = untrusted ? withWhoSigned(described, untrusted) : described;
  // A client that was created exists whatever failed afterwards, so it need not be created again. The next run
  // continues with it, unless the person has turned to another way to sign in.
  // A demonstration that is not kept ends with its home and its platform.
  const isUsed = answers.signIn === 'create-mcp-client' && (!settings.demo || settings.demo.isKept);
  const clients = [...new Set(created)];
  const [are, them] = clients.length === 1 ? ['is', 'it'] : ['are', 'them'];
  const clientNote =
    clients.length === 0 || learned.written
      ? ''
      : ` ${capitalized(secretsOf(clients))} ${are} saved.${isUsed ? ` The next run continues with ${them}.` : ''}`;
  const isLess = advice !== undefined && advice !== remedy;
  const failure = {
    ...{step, code, message: `${message}${clientNote}`, remedy, whose, about: facts},
    ...(isLess ? {advice} : {}),
    headline: verdictOnCode(
      code,
      serverAt(learned.deployment ?? answers.addresses ?? settings.saved ?? {}, facts),
      facts.isUnanswered,
    ),
  };
  return {...failure, ...more};
};

type Addresses = {readonly [A in 'controlPlaneUrl' | 'observerUrl' | 'authUrl']?: string};

/** Returns the part of a platform that an error is about, by its address. */
export const serverAt = (addresses: Addresses, {url, server}: About): ServerName | undefined => {
  const {controlPlaneUrl, observerUrl, authUrl} = addresses;
  const origin = server ?? originOf(url);
  const isAt = (address: string | undefined) => origin !== undefined && originOf(address) === origin;
  if (isAt(controlPlaneUrl)) return isMcp(url) ? 'mcp-control-plane' : 'control-plane';
  if (isAt(observerUrl)) return isMcp(url) ? 'mcp-observability' : 'observer';
  return isAt(authUrl) ? 'identity-provider' : undefined;
};

const originOf = (url: string | undefined) =>
  url !== undefined && URL.canParse(url) ? new URL(url).origin : undefined;

const isMcp = (url: string | undefined) =>
  url !== undefined && URL.canParse(url) && new URL(url).pathname.endsWith('/mcp');

/** Turns a failure back into an error, for callers that report it after the wizard. */
export const toError = ({code, message, remedy, block, about = {}}: Failure): SetupError =>
  new SetupError(code, message, {remedy: block === undefined ? remedy : [remedy, {block}], about});
