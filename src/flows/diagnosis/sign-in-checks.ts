import {duration} from '../../duration.ts';
import {SetupError} from '../../errors.ts';
import {accessToken} from '../access-token.ts';
import {inspectToken} from '../token-claims.ts';
import {type Check, type Finding, pass, type Scene} from './check.ts';

export const signIn: Check = {
  id: 'sign-in',
  title: 'Sign-in',
  needs: ['config', 'credentials'],
  run: async ({ports, subject: {context}}): Promise<Finding> => {
    if (!context) return {verdict: 'skipped', saw: 'nobody has signed in to this deployment'};
    const kept = await ports.credentials.get(context);
    const {refused, accessToken: token, refreshToken, clientSecret, account, expiresAt} = kept ?? {};
    if (refused) {
      const ago = duration(ports.clock.now() - refused.at);
      throw new SetupError('auth-sign-in-required', `Refused ${ago} ago: ${refused.reason}`, {
        remedy: `Sign in again: npx setup login --context ${context.name}.`,
      });
    }
    if (token === undefined && refreshToken === undefined && clientSecret === undefined) {
      throw new SetupError('auth-sign-in-required', `You are not signed in to ${context.name}.`, {
        remedy: `Sign in: npx setup login --context ${context.name}.`,
      });
    }
    const left = expiresAt === undefined ? 'expiry unknown' : remaining(expiresAt - ports.clock.now());
    const renewal = (refreshToken ?? clientSecret) ? 'renewed when needed' : 'cannot be renewed';
    return pass(`${account ?? context.clientId}, ${left}, ${renewal}`);
  },
};

const remaining = (ms: number) => (ms > 0 ? `${duration(ms)} left` : 'token ended');

/** A token that is good now; the one thing that a diagnosis may change, as any other command would. */
export const token: Check = {
  id: 'token',
  title: 'Access token',
  needs: ['sign-in'],
  run: async (scene): Promise<Finding> => {
    const {ports, subject, signal, learned} = scene;
    if (!subject.context) return {verdict: 'skipped', saw: 'nobody has signed in to this deployment'};
    try {
      const flow = accessToken(subject.context, ports, signal);
      let step = await flow.next();
      for (; !step.done; step = await flow.next()) scene.tell(step.value);
      learned.token = step.value;
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      const ground = await goneGround(scene);
      // Who cannot be asked has refused nothing: the reason stands above.
      if (ground && error.code !== 'auth-sign-in-required') return ground;
      throw error;
    }
    const {expiresAt} = learned.token;
    return pass(expiresAt === undefined ? 'expiry unknown' : remaining(expiresAt - ports.clock.now()));
  },
};

const goneGround = async ({outcomeOf}: Scene): Promise<Finding | undefined> => {
  for (const id of ['clock', 'issuer']) {
    const outcome = await outcomeOf(id);
    if (outcome?.verdict === 'fail') return {verdict: 'skipped', saw: 'it could not be renewed', because: id};
    if (outcome?.verdict === 'skipped' && outcome.because)
      return {verdict: 'skipped', saw: outcome.saw, because: outcome.because};
  }
  return undefined;
};

export const claims: Check = {
  id: 'claims',
  title: 'What the token says',
  needs: ['token'],
  run: async ({subject, learned, ports, outcomeOf}): Promise<Finding> => {
    const {accessToken = ''} = learned.token ?? {};
    const {issuer, audience, warnings} = inspectToken(accessToken, subject.issuer, ports.clock.now());
    const saw = `${issuer ?? 'not a JWT'}${audience ? `, for ${audience.join(', ')}` : ''}`;
    const [problem] = warnings;
    if (problem) {
      // A clock that is off is told by its own check.
      const clock = await outcomeOf('clock');
      if (clock?.verdict === 'fail') return {verdict: 'skipped', saw, because: 'clock'};
      const remedy = issuer
        ? 'Sign in again: npx setup login. If it stays, the identity provider’s settings are at fault.'
        : 'Have the identity provider give out JWTs for this client; opaque tokens are refused by the platform.';
      throw new SetupError('auth-token-refused', problem, {remedy});
    }
    return pass(saw);
  },
};
