import {currentContextIn} from '../../../domain/context.ts';
import type {Credentials} from '../../../domain/credentials.ts';
import {isUsable} from '../../../domain/sign-in-lifecycle.ts';
import type {TokenContext} from '../../../domain/tokens.ts';
import type {Remedy} from '../../../errors/error-row.ts';
import {SetupError} from '../../../errors/errors.ts';
import type {Ports} from '../../../ports/ports.ts';
import {SETUP} from '../../../setup-command.ts';
import {ago} from '../../../text.ts';
import {onceMore} from '../kept/sign-in-end.ts';
import type {RenewalWanted} from './renew.ts';

type Asked = {
  readonly context: TokenContext;
  /** An access token in whose place another one was asked for. */
  readonly refused?: string | undefined;
  readonly despite?: RenewalWanted['despite'];
};

/**
 * Why a person has to sign in: nobody has, or the sign-in has ended, and how; or what nothing can renew is not taken, or is
 * to be another.
 */
export const signInRequired = async (
  {context, refused: given, despite}: Asked,
  kept: Credentials | undefined,
  ports: Ports,
  cause?: SetupError,
): Promise<SetupError> => {
  const {clock, config} = ports;
  const {name, audience, issuer, signIn} = context;
  const {refused} = kept ?? {};
  const current = currentContextIn(await config.read());
  const isOther = current !== undefined && current.name !== name;
  if (!refused && kept?.accessToken !== undefined && signIn === 'browser') {
    const isLeft = kept.accessToken === given && isUsable(kept, clock.now());
    const what = !isLeft
      ? `You are signed out of ${name}: the sign-in`
      : despite === 'all'
        ? `Your sign-in to ${name}`
        : `The server refused the access token of your sign-in to ${name}, which`;
    const message = `${what} cannot be renewed: the identity provider issued no refresh token.`;
    // Loaded here, as who is signed in has no use for it.
    const {changeThenSignIn} = await import('../kept/change-then-sign-in.ts');
    const [short, long] = await Promise.all(
      ['.', `: ${SETUP} login --context ${name}.`].map(again => changeThenSignIn(context, ports, again)),
    );
    const remedy: Remedy = (_signIn, isAsked = false) => (isAsked ? short : long) ?? '';
    const about = {reason: 'It cannot be renewed: the identity provider issued no refresh token.'};
    return new SetupError('auth-sign-in-required', message, {remedy, about});
  }
  const remedy: Remedy = (_signIn, isAsked = false) =>
    isAsked ? 'Sign in again.' : `Sign in again: ${SETUP} login --context ${name}.`;
  const options = {cause, ...(isOther ? {remedy} : {})};
  if (!refused) return new SetupError('auth-sign-in-required', `You are signed out of ${name}.`, options);
  const since = clock.now() - refused.at;
  const when = ago(since);
  const reason = refused.isUnanswered
    ? `${issuer} did not answer two attempts to renew the sign-in, the last one ${when}, and may no longer accept the refresh token.`
    : refused.isAnnounced
      ? `the sign-in reached the end that ${issuer} had set for it${since < 60_000 ? '' : `, ${when}`}.`
      : `${issuer} refused to renew the sign-in${since < 60_000 ? '' : ` ${when}`}${refused.said === undefined ? '' : ` (${refused.said})`}.`;
  if (refused.isUnanswered) {
    const message = `Your sign-in to ${name} is no longer renewed: ${reason}`;
    return new SetupError('auth-sign-in-required', message, {
      cause,
      remedy: onceMore({name, audience}),
      about: {reason},
    });
  }
  if (refused.isUnclear) {
    const about = {reason: refused.reason};
    const message = `Your sign-in to ${name} has probably ended: ${refused.reason}`;
    return new SetupError('auth-sign-in-required', message, {...options, about});
  }
  const message = `You are signed out of ${name}: ${reason}`;
  return new SetupError('auth-sign-in-required', message, {...options, about: {reason}});
};
