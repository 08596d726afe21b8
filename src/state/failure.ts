import {SetupError, toSetupError} from '../errors/errors.ts';
import {type Untrusted, untrustedLines} from '../flows/deployment/untrusted.ts';
import type {Failure, StepId, WizardState} from './model.ts';

/** Returns the texts for a server whose certificate this machine does not trust, with the certificate's signer. */
const withWhoSigned = (
  {message, remedy, advice}: Pick<Failure, 'message' | 'remedy' | 'advice'>,
  untrusted: Untrusted,
) => {
  const {origin, interceptor} = untrusted;
  const lines = untrustedLines(untrusted).join('\n');
  if (interceptor === undefined) {
    const compare = 'Compare the fingerprint with the one its operators publish.';
    return {
      message,
      remedy: `${untrusted.isWhole ? `${compare} ${byFile}` : remedy}\n\n${lines}`,
      advice: `${untrusted.isWhole ? compare : advice}\n\n${lines}`,
      untrusted,
    };
  }
  return {
    message: `${origin} is not reached directly: ${interceptor} intercepts the connection and signs with a certificate authority that this machine doesn’t know.`,
    remedy: `${ifExpected} ${byFile}\n\n${lines}`,
    advice: `${ifExpected}\n\n${lines}`,
    untrusted,
  };
};

const ifExpected =
  'If your company runs it, get its certificate authority from your administrators. If you did not expect it, stop.';

const byFile = 'Without a terminal, pass the authority: --ca-file FILE.';

/** Turns an error into what is shown. `untrusted` describes the signer of a server that this machine does not trust. */
export const failureOf = (
  error: unknown,
  step: StepId,
  {created, facts: learned, settings, answers}: WizardState,
  untrusted?: Untrusted,
): Failure => {
  const known = toSetupError(error);
  const {code, whose, message: told, advice: asked, about: facts} = known;
  const said = {message: told, remedy: known.remedyBy(settings.signInCommand), advice: asked};
  const {message, remedy, advice, ...trust} = untrusted ? withWhoSigned(said, untrusted) : said;
  const [clientId] = created;
  // A client that was created exists whatever failed afterwards, so it need not be created again. The next run
  // continues with it, unless the person has turned to another way to sign in.
  const isUsed = answers.signIn === 'create-mcp-client';
  const kept =
    clientId === undefined || learned.written
      ? ''
      : ` The MCP client ${clientId} was created and saved.${isUsed ? ' The next run continues with it.' : ''}`;
  const [, block] = /\n\n([\s\S]+)$/.exec(remedy) ?? [];
  const isLess = advice !== undefined && advice !== remedy;
  const failure = {step, code, message: `${message}${kept}`, remedy, ...(isLess ? {advice} : {}), whose, about: facts};
  return {...failure, ...(block ? {block} : {}), ...trust};
};

/** Turns a failure back into an error, for callers that report it after the wizard. */
export const toError = ({code, message, remedy, about = {}}: Failure): SetupError =>
  new SetupError(code, message, {remedy, about});
