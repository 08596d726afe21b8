import type {DeviceAuthorizationResponse} from 'openid-client';
import type {OwnTokenServer} from '../../domain/sign-in/server-tokens.ts';
import type {WantedToken} from '../../domain/sign-in/token-request.ts';
import {familyOf, SetupError} from '../../errors/errors.ts';
import {cleanText} from '../../text.ts';
import type {Flow} from '../flow.ts';
import {type Run, reporting} from '../reporting.ts';
import {requestCode} from './oauth/device-offer.ts';
import {type OAuthClient, oauthClient} from './oauth/oauth-client.ts';
import {type SignedIn, signedIn} from './oauth/signed-in.ts';
import {askedOf} from './oauth/token-request.ts';
import {obtained, type TokenAnswer, tokenFrom} from './oauth/token-set.ts';

type Input = {
  readonly issuer: string;
  readonly clientId: string;
  readonly wanted: WantedToken;
  /** The server that the token is for alone; absent for the sign-in itself. */
  readonly server?: OwnTokenServer;
};

/** A timer knows no longer time than some weeks, and no code is good for a day. In milliseconds. */
const LONGEST_WAIT = 24 * 3600 * 1000;

/** How long to wait at most after a poll that reached nobody (RFC 8628 3.5), in milliseconds. */
const LONGEST_PAUSE = 30_000;

/**
 * Signs a person in by a code that they type into a browser anywhere (RFC 8628), where the identity provider offers
 * that: for machines without a browser and without a way back to them. openid-client keeps the interval and
 * `slow_down`.
 *
 * @throws SetupError `auth-device-missing`, `auth-declined`, `auth-sign-in-timeout`, those of the token endpoint
 */
export const deviceSignIn: Flow<Input, SignedIn> = (input, ports, signal) =>
  reporting({ports, signal}, async run => {
    const {tell} = run;
    const {issuer, clientId, wanted} = input;
    const client = await oauthClient({issuer, clientId, authentication: {method: 'none'}}, run);
    const {library, configuration} = client;
    if (configuration.serverMetadata().device_authorization_endpoint === undefined) {
      throw new SetupError('auth-device-missing', `${issuer} doesn’t offer sign-in with a code.`, {
        about: {url: issuer, flag: 'device'},
      });
    }
    const asked = askedOf(wanted, client, 'person');
    const verifier = library.randomPKCECodeVerifier();
    const device = await requestCode(client, {clientId, asked, claims: wanted.claims}, verifier);
    const {verification_uri_complete: complete} = device;
    tell({
      type: 'device-code',
      verificationUri: cleanText(device.verification_uri),
      userCode: cleanText(device.user_code),
      until: ports.clock.now() + device.expires_in * 1000,
      ...(isWebAddress(complete) ? {complete: cleanText(complete)} : {}),
    });
    const granted = await waitForPerson({client, device, issuer, verifier}, run);
    const token = tokenFrom(granted, {clientId, slides: client.provider.refreshToken.slides}, ports.clock.now());
    tell(obtained(token, input));
    return signedIn(token, {client, asked, wanted}, tell);
  });

/** Where a phone or a browser may be sent. */
const isWebAddress = (text: string | undefined): text is string =>
  text !== undefined && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

type Waiting = {
  readonly client: OAuthClient;
  readonly device: DeviceAuthorizationResponse;
  readonly issuer: string;
  /** Of PKCE, which not every provider looks at here. */
  readonly verifier: string;
};

/** Polls until the person has typed the code, or until it has ended, which not every token endpoint says. */
const waitForPerson = async (
  {client, device, issuer, verifier}: Waiting,
  {ports: {clock}, signal, tell}: Run,
): Promise<TokenAnswer> => {
  const over = new AbortController();
  const ended = AbortSignal.any([signal, over.signal]);
  const runOut = async (): Promise<never> => {
    await clock.sleep(Math.min(device.expires_in * 1000, LONGEST_WAIT), ended);
    throw new SetupError('auth-sign-in-timeout', `The code from ${issuer} has expired.`, {about: {url: issuer}});
  };
  const parameters = {code_verifier: verifier};
  const poll = () =>
    client.attempt(
      configuration =>
        client.library.pollDeviceAuthorizationGrant(configuration, device, parameters, {signal: ended}).catch(error => {
          throw translatePoll(error, issuer);
        }),
      {at: 'device'},
    );
  const pollOn = async (pause: number): Promise<TokenAnswer> => {
    try {
      return await poll();
    } catch (error) {
      if (!(error instanceof SetupError) || !isPassing(error)) throw error;
      // A person is typing at another machine meanwhile: a gap in this one's network is no reason to begin again.
      tell({type: 'warning', message: `${error.message} Trying again: the code is still valid.`});
      await clock.sleep(pause, ended);
      return pollOn(Math.min(pause * 2, LONGEST_PAUSE));
    }
  };
  try {
    return await Promise.race([pollOn((device.interval ?? 5) * 1000), runOut()]);
  } finally {
    over.abort();
  }
};

const isPassing = ({code}: SetupError) =>
  familyOf(code) === 'network' || code === 'platform-error' || code === 'platform-unhealthy';

/** How a person ends it, or does not: the codes of RFC 8628 3.5 that no poll goes on after. */
const translatePoll = (error: unknown, issuer: string): unknown => {
  const code = error instanceof Error && 'error' in error ? error.error : undefined;
  if (code === 'access_denied')
    return new SetupError('auth-declined', `The sign-in at ${issuer} was declined.`, {
      cause: error,
      about: {url: issuer},
    });
  if (code === 'expired_token')
    return new SetupError('auth-sign-in-timeout', `The code from ${issuer} has expired.`, {
      cause: error,
      about: {url: issuer},
    });
  return error;
};
