import {inspectToken, payloadOf} from '../domain/tokens.ts';
import {SetupError} from '../errors/errors.ts';
import {operatorsChange, providerOf, recogniseProvider, settingOf} from '../identity-providers/catalogue.ts';
import type {Ports} from '../ports/ports.ts';

type Input = {
  readonly token: string;
  readonly issuer: string;
  readonly clientId: string;
  /** The kind of identity provider. If absent, it is recognised by its issuer and its stored metadata. */
  readonly provider?: string | undefined;
  /** The resource that the refusing server names for itself. */
  readonly resource?: string | undefined;
};

/**
 * Returns the fault of an access token that a server has refused, as far as the token shows it, and the setting at the
 * identity provider that fixes it: the token is not a JWT, or it is for another audience. Undefined if neither shows.
 */
export const tokenFault = async (
  {token, issuer, clientId, provider: known, resource}: Input,
  {providers, clock}: Ports,
): Promise<SetupError | undefined> => {
  const {metadata} = await providers.get(issuer);
  const provider = known === undefined ? recogniseProvider(issuer, metadata?.body) : providerOf(known);
  const values = {issuer, clientId, ...(resource === undefined ? {} : {audience: resource})};
  const remedy = (cause: 'opaque' | 'audience') => operatorsChange(provider, settingOf(provider, cause, values));
  const about = {url: issuer};
  if (payloadOf(token) === undefined) {
    const why = provider.unfit ?? `${issuer} issues access tokens that are not JWTs to ${clientId}`;
    const message = `${why}, but the platform’s servers accept only JWTs.`;
    return new SetupError('auth-token-opaque', message, {about, remedy: remedy('opaque')});
  }
  const {audience = [], warnings} = inspectToken(token, issuer, clock.now());
  if (warnings.length > 0 || resource === undefined || audience.includes(resource)) return undefined;
  const named = audience.length === 0 ? 'names no audience' : `is for ${audience.join(', ')}`;
  const message = `The token ${named}, but the server identifies itself as ${resource}.`;
  // A provider that was told no audience writes the client itself there, so that alone proves nothing.
  const isForAnother = audience.some(one => one !== clientId);
  return new SetupError(isForAnother ? 'auth-audience-wrong' : 'auth-token-refused', message, {
    about,
    remedy: remedy('audience'),
  });
};
