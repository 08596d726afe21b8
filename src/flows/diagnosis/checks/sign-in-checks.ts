import {addressOf} from '../../../domain/address.ts';
import type {Context} from '../../../domain/context.ts';
import type {Credentials} from '../../../domain/credentials.ts';
import {type Finding, pass, skippedWithout, warn} from '../../../domain/finding.ts';
import type {McpServer} from '../../../domain/mcp-servers.ts';
import {isRenewable, isUsable, signInState} from '../../../domain/sign-in-lifecycle.ts';
import {
  contextFor,
  expiryOf,
  inspectToken,
  keyIdOf,
  type TokenFacts,
  type TokenSet,
  tokenFor,
} from '../../../domain/tokens.ts';
import {SetupError} from '../../../errors/errors.ts';
import {type Advice, phrase} from '../../../errors/remedy.ts';
import {recogniseProvider} from '../../../identity-providers/catalogue.ts';
import type {Ports} from '../../../ports/ports.ts';
import {ago, cleanText, duration} from '../../../text.ts';
import {textAt} from '../../http-answers.ts';
import {isTokenRefused, tokenFault} from '../../platform-tools/refused-token.ts';
import {accessTokenInstead, accessTokenNow} from '../../sign-in/access-token.ts';
import {changeThenSignIn} from '../../sign-in/change-then-sign-in.ts';
import {signInClient} from '../../sign-in/client-credentials.ts';
import {onceMore, untilSignInEnds} from '../../sign-in/sign-in-end.ts';
import {type Check, isOfWizard, loginCommand, type Scene, type Subject, setUpOrContinue} from '../check.ts';
import {credentials} from './machine-checks.ts';
import {keyReplacement, signingKey} from './platform-checks.ts';
import {renewedOnce, tokenNowOnce} from './renewed-token.ts';
import {onNewDeployment, signInAgain} from './sign-in-remedy.ts';

export const signIn: Check = {
  id: 'sign-in',
  server: 'identity-provider',
  title: 'Sign-in',
  needs: ['config'],
  address: ({authUrl}) => authUrl,
  run: async (scene): Promise<Finding> => {
    const {ports, subject, outcomeOf} = scene;
    const {context, unsaved} = subject;
    if (!context && unsaved?.failure && !unsaved.failure.isCheckedSince) {
      const {code, message, remedy} = unsaved.failure;
      throw new SetupError(code, message, {remedy});
    }
    if (!context)
      return unsaved?.token ? ofThisRun(unsaved.token, ports) : ((await bySecret(scene)) ?? (await nobody(scene)));
    const ground = await outcomeOf(credentials.id);
    if (ground?.verdict === 'fail') return skippedWithout(credentials);
    const stored = await keptAfterLook(context, scene);
    const {refused, accessToken: token, refreshToken, account, expiresAt} = stored ?? {};
    if (refused) {
      const when = ago(ports.clock.now() - refused.at);
      if (refused.isUnanswered) {
        const message = `Two attempts to renew the sign-in got no answer, the last one ${when}, so it is no longer renewed automatically.`;
        throw new SetupError('auth-sign-in-required', message, {
          remedy: onceMore(context),
          about: {isUnanswered: true},
        });
      }
      const what = refused.isUnclear
        ? 'The sign-in has probably ended; its renewal was refused'
        : refused.isAnnounced
          ? 'The sign-in ended'
          : 'The renewal was refused';
      // A reinstalled provider does not say why it refuses, but the key of the last token shows it.
      const keyId = keyIdOf(token ?? '') ?? refused.keyId;
      const cause = keyId === undefined ? undefined : await keyReplacement(keyId, scene);
      const sentence = [cause, `${what} ${when}: ${refused.reason}`].filter(Boolean).join(' ');
      throw new SetupError('auth-sign-in-required', sentence, {remedy: await refusedRemedy(scene)});
    }
    if (token === undefined && !isRenewable(stored ?? {})) {
      throw new SetupError('auth-sign-in-required', `You are signed out of ${context.name}.`, {
        remedy: await signInAgain(scene, undefined, 'Sign in'),
      });
    }
    const left = expiresAt === undefined ? 'expiry unknown' : validity(expiresAt - ports.clock.now());
    const who = `${account ?? context.clientId}, ${left}`;
    const standing = signInState(stored, ports.clock.now());
    const until = untilSignInEnds(standing, ports.clock.now());
    if (standing.failure !== undefined) {
      const sentence = `The last attempt to renew the sign-in failed: ${standing.failure}`;
      return warn(`${who}, last renewal failed`, sentence, onceMore(context));
    }
    if (standing.renewable) return pass(`${who}, renewed when needed${until}`);
    const over = (expiresAt ?? Number.POSITIVE_INFINITY) - ports.clock.now();
    const hasNoMore = refreshToken !== undefined || context.signIn === 'browser';
    if (over <= 0 && hasNoMore) {
      const why =
        refreshToken === undefined
          ? 'The sign-in came without a refresh token.'
          : 'Its refresh token has expired as well.';
      throw new SetupError('auth-sign-in-required', `The sign-in ended ${ago(-over)}, when its token expired. ${why}`, {
        remedy:
          refreshToken === undefined
            ? await changeThenSignIn(context, ports, loginCommand(subject))
            : await signInAgain(scene),
      });
    }
    if (refreshToken !== undefined) {
      const sentence = 'This sign-in ends when its token expires: its refresh token has expired.';
      return warn(`${who}, cannot be renewed`, sentence, await signInAgain(scene), 'sign-in');
    }
    return context.signIn === 'browser'
      ? warn(
          `${who}, cannot be renewed`,
          'This sign-in ends when its token expires: it came without a refresh token.',
          await changeThenSignIn(context, ports, loginCommand(subject)),
        )
      : pass(`${who}, cannot be renewed`);
  },
};

/**
 * Returns the stored credentials. If the sign-in has probably ended, or its last renewal failed and its token can no
 * longer be used, tries a renewal first: an operator may have fixed the cause.
 */
const keptAfterLook = async (context: Context, scene: Scene): Promise<Credentials | undefined> => {
  const {ports, signal} = scene;
  const stored = await ports.credentials.get(context);
  const isFailing = stored?.failure !== undefined && !isUsable(stored, ports.clock.now());
  if (!stored?.refused?.isUnclear && !isFailing) return stored;
  try {
    await tokenNowOnce(context, scene);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof SetupError)) throw error;
  }
  return ports.credentials.get(context);
};

/**
 * The finding for a sign-in that is not stored. A wizard stores its sign-in once the person has agreed to the changes.
 */
const ofThisRun = ({account, expiresAt}: TokenFacts, {clock}: Ports): Finding =>
  pass(`${account}, ${expiresAt === undefined ? 'expiry unknown' : validity(expiresAt - clock.now())}, not saved yet`);

/** Signs in a client whose secret was given, and stores nothing. Returns undefined if there is no secret to try. */
const bySecret = async (scene: Scene): Promise<Finding | undefined> => {
  const {subject, ports, learned} = scene;
  const {platform, controlPlaneUrl, issuer, unsaved} = subject;
  const {method = 'browser', clientId, clientSecret: secret, requested} = unsaved ?? {};
  if (method === 'browser' || clientId === undefined || secret === undefined) return undefined;
  const ground = await goneGround(scene, ['discovery', 'issuer']);
  if (ground) return {...ground, saw: `${clientId} could not sign in`};
  const client = {platform, controlPlaneUrl, issuer, clientId, method, secret, requested};
  const {token} = await signInClient(client, scene);
  learned.signedIn = token;
  return ofThisRun(token, ports);
};

const UNSAVED =
  ' A failed sign-in is not saved. To see why it failed, choose “Diagnostics” on the screen that reports it.';

/** Says what was not checked, so that a list of passed checks is not taken for more than it is. */
const nobody = async (scene: Scene): Promise<Finding> => {
  const {subject} = scene;
  const {failure} = subject.unsaved ?? {};
  if (failure) {
    return {
      verdict: 'skipped',
      saw: 'no new sign-in since the last one failed',
      sentence: `The last sign-in failed: ${failure.message}`,
      // The cause may be gone: if it has a check of its own, that check says so.
      remedy: `Sign in again. If that fails in the same way: ${failure.remedy}`,
      code: failure.code,
    };
  }
  const isUnfinished = isOfWizard(subject);
  const who = isUnfinished ? 'This run has not signed in yet' : 'Nobody has signed in to this deployment from here';
  return {
    verdict: 'skipped',
    saw: isUnfinished ? 'this run has not signed in yet' : 'nobody has signed in from here',
    sentence: `${who}, so the checks that need a token were skipped: those of the token itself, of what the account may do, and of the tools of the MCP servers.${isUnfinished ? '' : UNSAVED}`,
    remedy: isUnfinished
      ? 'Sign in first, then check again.'
      : await onNewDeployment(scene, 'Set up this deployment:', setUpOrContinue(subject)),
  };
};

/** The remedy for a refused sign-in. A new sign-in may be refused as well, and then only the operators can help. */
const refusedRemedy = async (scene: Scene): Promise<Advice> => {
  const {context} = scene.subject;
  if (context && context.signIn !== 'browser') return newSecret(scene, context.clientId);
  return signInAgain(scene, 'If it is refused again right away, contact the identity provider’s operators.');
};

/** The remedy for a client whose stored secret was refused: signing in with it again cannot help. */
const newSecret = (scene: Scene, clientId: string): Advice => [
  `The secret of ${clientId} has probably been reset. Get the current one from the identity provider’s operators.`,
  phrase`Then run ${loginCommand(scene.subject)}, and choose “Enter the client again”. In a script, pass the secret with --client-secret-stdin. An administrator can create a new client instead: choose “Sign in another way”, then “Create an MCP client”.`,
];

const validity = (ms: number) => (ms > 0 ? `token valid for ${duration(ms)}` : 'token expired');

const remaining = (ms: number) => (ms > 0 ? `${duration(ms)} left` : 'token expired');

/** A valid token, renewed if that is due: the only thing that a diagnosis may change, as any other command would. */
export const token: Check = {
  id: 'token',
  server: 'identity-provider',
  title: 'Access token',
  needs: ['sign-in'],
  address: ({authUrl}) => authUrl,
  run: async (scene): Promise<Finding> => {
    const {ports, subject, learned} = scene;
    if (!subject.context) return tokenOfRun(scene);
    try {
      learned.token = await tokenNowOnce(subject.context, scene);
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      const ground = await goneGround(scene, ['clock', 'issuer']);
      // A provider that cannot be asked has refused nothing: an earlier check shows the reason.
      if (ground && error.code !== 'auth-sign-in-required') return ground;
      const {refused} = (await ports.credentials.get(subject.context)) ?? {};
      if (!refused || refused.isUnanswered) throw error;
      throw new SetupError(error.code, error.message, {cause: error, remedy: await refusedRemedy(scene)});
    }
    const {expiresAt} = learned.token;
    return pass(expiresAt === undefined ? 'expiry unknown' : remaining(expiresAt - ports.clock.now()));
  },
};

/**
 * Checks the token of this run as it is. A diagnosis does not renew it: the sign-in is not saved yet, and its new
 * refresh token would be lost with the diagnosis. The wizard renews it before the diagnosis, if it can.
 */
const tokenOfRun = ({ports, subject, learned}: Scene): Finding => {
  const {expiresAt, access} = learned.signedIn ?? subject.unsaved?.token ?? {};
  if (!access) return {verdict: 'skipped', saw: 'this run has no token'};
  const now = ports.clock.now();
  const left = expiresAt === undefined ? undefined : expiresAt - now;
  const found: TokenSet = {accessToken: access.reveal(), ...(expiresAt === undefined ? {} : {expiresAt})};
  // Nothing renews it while the checks run, so it is used as long as it is valid.
  if (left !== undefined && left <= 0) {
    const ends = `expired ${ago(-left)}`;
    if (subject.unsaved?.isRenewedLater) {
      return {
        verdict: 'skipped',
        saw: remaining(left),
        sentence: `The token of this run ${ends}, so the checks that need a token were skipped. Setup renews it when you go on.`,
        remedy: 'Go on with the setup, then check again.',
      };
    }
    return {
      verdict: 'fail',
      saw: remaining(left),
      sentence: `The token of this run ${ends}.`,
      remedy: isOfWizard(subject)
        ? 'Sign in again: go back to the setup, and choose “Sign in another way”.'
        : phrase`Sign in again: ${loginCommand(subject)}.`,
      code: 'auth-sign-in-required',
    };
  }
  learned.token = found;
  return pass(left === undefined ? 'expiry unknown' : remaining(left));
};

const goneGround = async ({outcomeOf}: Scene, ids: readonly string[]): Promise<Finding | undefined> => {
  for (const id of ids) {
    const outcome = await outcomeOf(id);
    if (outcome?.verdict === 'fail') return {verdict: 'skipped', saw: 'the token could not be renewed', because: id};
    if (outcome?.verdict === 'skipped' && outcome.because)
      return {verdict: 'skipped', saw: outcome.saw, because: outcome.because};
  }
  return undefined;
};

/**
 * Returns the fault if the token is for another audience than the control plane names, and the control plane refuses
 * it. Many servers check only the issuer, and then a difference does not matter.
 */
const audienceFault = async (scene: Scene): Promise<SetupError | undefined> => {
  const {subject, learned, ports, outcomeOf} = scene;
  const {platform, controlPlaneUrl, issuer, context, unsaved} = subject;
  const isWell = (await outcomeOf('health-control-plane'))?.verdict === 'pass';
  await outcomeOf('resource');
  const resource = textAt(learned.resource ?? {}, 'resource');
  const token = learned.token?.accessToken ?? '';
  const {audience = []} = inspectToken(token, issuer, ports.clock.now());
  if (!isWell || resource === undefined || audience.includes(resource)) return undefined;
  const url = addressOf(controlPlaneUrl, platform.paths.mcp).href;
  if (!(await isTokenRefused({url, token}, scene))) return undefined;
  const clientId = context?.clientId ?? unsaved?.clientId ?? 'the client';
  const {id: provider} = recogniseProvider(issuer, learned.metadata);
  const fault = await tokenFault({token, issuer, clientId, provider, resource: cleanText(resource)}, ports);
  return fault?.code === 'auth-audience-wrong' ? fault : undefined;
};

export const claims: Check = {
  id: 'claims',
  title: 'Token contents',
  needs: ['token'],
  run: async (scene): Promise<Finding> => {
    const {subject, learned, ports} = scene;
    await renewIfOutlived(scene);
    const {accessToken = ''} = learned.token ?? {};
    const {issuer, audience, warnings} = inspectToken(accessToken, subject.issuer, ports.clock.now());
    const saw = `${issuer ?? 'no issuer'}${audience ? `, for ${audience.join(', ')}` : ''}`;
    const [problem] = warnings;
    if (problem) {
      // The clock check reports a wrong clock. While that check cannot run, nothing shows whether a token has expired.
      const hasEnded = (expiryOf(accessToken) ?? Number.POSITIVE_INFINITY) <= ports.clock.now();
      const ground = hasEnded ? await goneGround(scene, ['clock']) : undefined;
      if (ground) return {...ground, saw: 'the token cannot be judged until the clock is right'};
      const login = loginCommand(subject);
      const clientId = subject.context?.clientId ?? subject.unsaved?.clientId;
      const {id: provider} = recogniseProvider(subject.issuer, learned.metadata);
      const known = {token: accessToken, issuer: subject.issuer, clientId: clientId ?? 'the client', provider};
      const fault = issuer ? undefined : await tokenFault(known, ports);
      if (fault) throw fault.advising(phrase`Then sign in again: ${login}.`);
      const remedy = issuer
        ? await signInAgain(
            scene,
            'If it happens again, the identity provider’s settings are wrong: tell its operators.',
          )
        : phrase`Ask the identity provider’s operators to put the issuer (iss) into the access tokens of this client, then sign in again: ${login}.`;
      throw new SetupError('auth-token-refused', problem, {remedy});
    }
    const fault = await audienceFault(scene);
    if (fault) throw fault.advising(phrase`Then sign in again: ${loginCommand(subject)}.`);
    return pass(saw);
  },
};

/**
 * Requests another token if the stored one has ended by its own claim although its lifetime has not passed: it was
 * issued while the clocks disagreed. If they still do, the clock check says so.
 */
const renewIfOutlived = async (scene: Scene): Promise<void> => {
  const {learned, ports} = scene;
  const {accessToken = ''} = learned.token ?? {};
  if ((expiryOf(accessToken) ?? Number.POSITIVE_INFINITY) > ports.clock.now()) return;
  if (await goneGround(scene, ['clock'])) return;
  await renewedOnce('control-plane', accessToken, scene);
};

/** Whether the observability server has a token of its own. */
export const hasOwnToken = ({context}: Subject): boolean => context?.resources?.observability !== undefined;

/** The token of a server that accepts only tokens for its own resource: renewed if that is due, and its contents. */
export const ownToken: Check = {
  id: 'token-observability',
  title: 'Access token of the observability MCP server',
  needs: ['token'],
  address: ({authUrl}) => authUrl,
  run: async (scene): Promise<Finding> => {
    const {subject, learned, ports, outcomeOf} = scene;
    if (!subject.context) return {verdict: 'skipped', saw: 'nobody has signed in from here'};
    await outcomeOf(signingKey.id);
    const context = contextFor(subject.context, 'observability');
    let token = await accessTokenNow(context, scene);
    // The signing key of the sign-in's token is published. A token with another key is signed with an outdated one.
    if (keyIdOf(token.accessToken) !== keyIdOf(learned.token?.accessToken ?? '')) {
      token = await accessTokenInstead({context, refused: token.accessToken}, scene);
    }
    learned.ownToken = token;
    const {audience = [], warnings} = inspectToken(token.accessToken, subject.issuer, ports.clock.now());
    const [problem] = warnings;
    if (problem === undefined) return pass(audience.length > 0 ? `for ${audience.join(', ')}` : 'no audience');
    throw new SetupError('auth-token-refused', problem, {remedy: await signInAgain(scene)});
  },
};

/** Returns the token for a server, from the saved sign-in or from the run that opened the diagnosis. */
export const tokenAt = (server: McpServer, {subject, learned}: Scene): string | undefined => {
  if (server === 'observability' && learned.ownToken) return learned.ownToken.accessToken;
  const {token, serverTokens} = subject.unsaved ?? {};
  if (subject.context || !token) return learned.token?.accessToken;
  return tokenFor(server, {signIn: token.access, ...serverTokens}).reveal();
};
