import {type CodeTerms, type PendingCode, pendingKey, storedPendingCode} from '../../domain/credentials.ts';
import {Secret} from '../../domain/secret.ts';
import {levelParameters, type SignInLevel, type WantedToken} from '../../domain/token-request.ts';
import type {OwnTokenServer} from '../../domain/tokens.ts';
import {familyOf, SetupError} from '../../errors/errors.ts';
import {phrase, signIn} from '../../errors/remedy.ts';
import {cleanText, duration} from '../../text.ts';
import type {Flow, Run} from '../flow.ts';
import {namedPage} from '../foreign-address.ts';
import {stoppable} from '../stoppable.ts';
import {type OAuthClient, oauthClient} from './oauth-client.ts';
import {withName} from './person-name.ts';
import {type AskedToken, askedOf, parametersOf} from './request-parameters.ts';
import {type SignedIn, signedIn} from './signed-in.ts';
import {obtained, type TokenAnswer, tokenFrom} from './token-response.ts';

/** The grant type of a sign-in with a code (RFC 8628 3.4). */
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

type OfferInput = {
  readonly clientId: string;
  readonly asked: AskedToken;
  readonly claims?: string | undefined;
  readonly level?: SignInLevel | undefined;
};

/**
 * Whether this client can sign people in with a code. The metadata says whether the identity provider can do so. To
 * find out whether the client may, requests a code and does not use it; false if that request fails.
 */
export const offersDevice = async (client: OAuthClient, input: OfferInput, run: Run): Promise<boolean> => {
  const {device_authorization_endpoint: endpoint, grant_types_supported: grants} =
    client.configuration.serverMetadata();
  if (endpoint === undefined || (grants !== undefined && !grants.includes(DEVICE_GRANT))) return false;
  try {
    await requestCode(client, input, client.library.randomPKCECodeVerifier());
    return true;
  } catch (error) {
    run.signal.throwIfAborted();
    if (error instanceof SetupError) return false;
    throw error;
  }
};

/**
 * Requests a code (RFC 8628 3.1), with PKCE: some identity providers require a challenge here too, and the others
 * ignore it.
 *
 * @throws SetupError with the identity provider's refusal
 */
export const requestCode = (client: OAuthClient, {asked, claims, level}: OfferInput, verifier: string) =>
  client.attempt(
    async configuration =>
      client.library.initiateDeviceAuthorization(configuration, {
        ...parametersOf(asked),
        code_challenge: await client.library.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(claims === undefined ? {} : {claims}),
        // No standard defines these parameters for a code, but providers accept them.
        ...levelParameters(level),
      }),
    {at: 'device', asked},
  );

type Input = {
  readonly issuer: string;
  readonly clientId: string;
  readonly wanted: WantedToken;
  /** The only server that the token is for; absent for the sign-in itself. */
  readonly server?: OwnTokenServer;
  /** Set if this run does not wait for the person, or if an earlier run did not. */
  readonly code?: CodeTerms;
  /** The code of an earlier run, which this run goes on with. */
  readonly begun?: PendingCode | undefined;
};

/** The longest wait, in milliseconds: no code is valid for a whole day, and a timer can run for a few weeks at most. */
const LONGEST_WAIT = 24 * 3600 * 1000;

/** The longest pause after a poll that failed (RFC 8628 3.5), in milliseconds. */
const LONGEST_PAUSE = 30_000;

/**
 * The interval between two polls if the identity provider names none, what each `slow_down` adds, and the shortest
 * interval, in seconds (RFC 8628 3.2 and 3.5). A shorter interval could mean hundreds of polls a second. The interval
 * has an upper limit too, because a timer does not wait at all for a time that is too long for it.
 */
const [USUAL_INTERVAL, SLOWER, LEAST_INTERVAL] = [5, 5, 1];

const intervalOf = (seconds: number | undefined): number =>
  Math.min(Math.max(seconds ?? USUAL_INTERVAL, LEAST_INTERVAL), LONGEST_WAIT / 1000);

/**
 * Signs a person in with a code that they type into a browser anywhere (RFC 8628), if the identity provider offers
 * that: for machines without a browser and without a way back to them. If the program is not to wait, the code is
 * stored with the other secrets, and removed as soon as it is used or has ended.
 *
 * @throws SetupError `auth-device-missing`, `auth-sign-in-pending` if the code has not been typed yet and the program
 *   does not wait, `auth-declined`, `auth-sign-in-timeout`, the errors of the token endpoint
 */
export const deviceSignIn: Flow<Input, SignedIn> = (input, run) =>
  stoppable(run, async run => {
    const {ports} = run;
    const {tell} = run;
    const {issuer, clientId, wanted} = input;
    const who = {issuer, clientId, authentication: {method: 'none'}, isStandard: wanted.isStandard} as const;
    const client = await oauthClient(who, run);
    const asked = askedOf(wanted, client, 'person');
    const code = input.begun ?? (await newCode(input, client, run));
    const {verificationUri, userCode, until, complete} = code;
    tell({type: 'device-code', verificationUri, userCode, until, ...(complete === undefined ? {} : {complete})});
    const isKept = input.code !== undefined;
    const forget = async () => {
      if (isKept) await ports.credentials.replace(pendingKey, undefined);
    };
    if (input.code && !input.begun) await ports.credentials.replace(pendingKey, storedPendingCode(code));
    const isWaiting = input.code?.waits !== false;
    if (!isWaiting && !input.begun) throw pending(code, ports.clock.now());
    try {
      const granted = isWaiting ? await waitForPerson({client, code}, run) : await askOnce({client, code}, run);
      await forget();
      const {slides} = client.provider.refreshToken;
      const token = await withName(tokenFrom(granted, {clientId, slides}, ports.clock.now()), client, run);
      tell(obtained(token, input));
      return signedIn(token, {client, asked, wanted}, tell);
    } catch (error) {
      if (error instanceof SetupError && familyOf(error.code) === 'auth' && error.code !== 'auth-sign-in-pending')
        await forget();
      throw error;
    }
  });

/** Requests a code. @throws SetupError `auth-device-missing`, `auth-endpoint-foreign`, or the endpoint's refusal */
const newCode = async (
  {issuer, clientId, wanted, code}: Input,
  client: OAuthClient,
  {ports}: Run,
): Promise<PendingCode> => {
  if (client.configuration.serverMetadata().device_authorization_endpoint === undefined) {
    throw new SetupError('auth-device-missing', `${issuer} doesn’t offer sign-in with a code.`, {
      about: {url: issuer, flag: 'device'},
      ...(code ? {remedy: WITHOUT_CODE} : {}),
    });
  }
  const verifier = client.library.randomPKCECodeVerifier();
  const asked = askedOf(wanted, client, 'person');
  const device = await requestCode(client, {clientId, asked, claims: wanted.claims, level: wanted.level}, verifier);
  const by = new URL(issuer);
  const [page, complete] = [device.verification_uri, device.verification_uri_complete].map(one => namedPage(one, by));
  if (!page) {
    const message = `${issuer} names a page for the code that is unsafe to open.`;
    throw new SetupError('auth-endpoint-foreign', message, {about: {url: issuer}});
  }
  return {
    ...{issuer, clientId, wanted, note: code?.note ?? {}},
    verificationUri: page.href,
    userCode: cleanText(device.user_code),
    ...(complete ? {complete: complete.href} : {}),
    until: ports.clock.now() + Math.min(device.expires_in * 1000, LONGEST_WAIT),
    interval: intervalOf(device.interval),
    deviceCode: new Secret(device.device_code),
    verifier: new Secret(verifier),
  };
};

/** The alternatives if a person cannot be given a code. */
const WITHOUT_CODE = phrase`Ask its operators to enable the device grant for this client (RFC 8628). Or sign in as a client (${signIn('--client-credentials')}), or let a person open an address while the program waits (${signIn('--no-browser')}).`;

/** The error while the person has not typed the code yet. */
const pending = ({userCode, verificationUri, until}: PendingCode, now: number) =>
  new SetupError(
    'auth-sign-in-pending',
    `Nobody has typed the code ${userCode} at ${verificationUri} yet. It expires in ${duration(until - now)}.`,
    {about: {url: verificationUri}},
  );

type Waiting = {readonly client: OAuthClient; readonly code: PendingCode};

/** Polls until the person has typed the code, or until the code has expired, which not every token endpoint reports. */
const waitForPerson = async (waiting: Waiting, run: Run): Promise<TokenAnswer> => {
  const {issuer, interval, until} = waiting.code;
  const {clock} = run.ports;
  const over = new AbortController();
  const ended = AbortSignal.any([run.signal, over.signal]);
  const runOut = async (): Promise<never> => {
    await clock.sleep(Math.min(Math.max(0, until - clock.now()), LONGEST_WAIT), ended);
    throw expired(issuer);
  };
  const pollOn = async (): Promise<TokenAnswer> => {
    let between = intervalOf(interval) * 1000;
    let pause = between;
    for (;;) {
      await clock.sleep(pause, ended);
      const answer = await poll(waiting);
      if (answer === 'slow_down') between += SLOWER * 1000;
      if (answer === 'slow_down' || answer === 'authorization_pending') pause = between;
      else if (answer instanceof SetupError) {
        // The person may be typing at another machine: a gap in this machine's network is no reason to begin again.
        run.tell({type: 'warning', message: `${answer.message} Trying again: the code is still valid.`});
        pause = Math.max(Math.min(pause * 2, LONGEST_PAUSE), between);
      } else return answer;
    }
  };
  try {
    return await Promise.race([pollOn(), runOut()]);
  } finally {
    over.abort();
  }
};

/**
 * The result of a poll: tokens, the error that says that the code has not been typed yet (RFC 8628 3.5), or a failure
 * that may pass in a moment.
 */
type Polled = TokenAnswer | 'authorization_pending' | 'slow_down' | SetupError;

/** Makes one token request (RFC 8628 3.4). @throws SetupError if another request would not help */
const poll = async ({client, code}: Waiting): Promise<Polled> => {
  const parameters = {device_code: code.deviceCode.reveal(), code_verifier: code.verifier.reveal()};
  const request = (configuration: OAuthClient['configuration']): Promise<Polled> =>
    client.library.genericGrantRequest(configuration, DEVICE_GRANT, parameters).catch(error => {
      const answer = error instanceof Error && 'error' in error ? error.error : undefined;
      if (answer === 'authorization_pending' || answer === 'slow_down') return answer;
      throw translatePoll(error, code.issuer);
    });
  try {
    return await client.attempt(request, {at: 'device', asked: askedOf(code.wanted, client, 'person')});
  } catch (error) {
    if (error instanceof SetupError && isPassing(error)) return error;
    throw error;
  }
};

/**
 * Asks once whether the person has typed the code.
 *
 * @throws SetupError `auth-sign-in-pending`, `auth-sign-in-timeout`
 */
const askOnce = async (waiting: Waiting, {ports: {clock}}: Run): Promise<TokenAnswer> => {
  const {code} = waiting;
  if (code.until <= clock.now()) throw expired(code.issuer);
  const answer = await poll(waiting);
  if (answer === 'authorization_pending' || answer === 'slow_down') throw pending(code, clock.now());
  if (answer instanceof SetupError) throw answer;
  return answer;
};

const expired = (issuer: string, cause?: unknown) =>
  new SetupError('auth-sign-in-timeout', `The code from ${issuer} has expired.`, {
    ...(cause === undefined ? {} : {cause}),
    about: {url: issuer},
    remedy: {do: 'Sign in again, and type the new code in time.', flag: phrase`Run ${signIn('--device')}.`},
  });

const isPassing = ({code}: SetupError) =>
  familyOf(code) === 'network' || code === 'platform-error' || code === 'platform-unhealthy';

/** Translates the error codes of RFC 8628 3.5 that end the polling: the person declined, or the code has expired. */
const translatePoll = (error: unknown, issuer: string): unknown => {
  const code = error instanceof Error && 'error' in error ? error.error : undefined;
  if (code === 'access_denied')
    return new SetupError('auth-declined', `The sign-in at ${issuer} was declined.`, {
      cause: error,
      about: {url: issuer},
    });
  if (code === 'expired_token') return expired(issuer, error);
  return error;
};
