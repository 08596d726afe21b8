import {addressOf} from '../../../domain/address.ts';
import {asAssistants, type Context} from '../../../domain/context.ts';
import {type Finding, pass, warn} from '../../../domain/finding.ts';
import {isUsable} from '../../../domain/sign-in-lifecycle.ts';
import {keyIdOf} from '../../../domain/tokens.ts';
import {presetIn} from '../../../domain/tool-sets.ts';
import {SetupError} from '../../../errors/errors.ts';
import {phrase, withFlags} from '../../../errors/remedy.ts';
import {CLOCK_REMEDY} from '../../../errors/shared-advice.ts';
import {isSameButSlash} from '../../../identity-providers/identity-provider.ts';
import {ageOf} from '../../../platform/recognise.ts';
import {cleanText} from '../../../text.ts';
import {clockSkew} from '../../clock-skew.ts';
import {healthText, isSuccess, readJson, requireHealth, statusError, textAt} from '../../http-answers.ts';
import {grantCommand, mayChange} from '../../platform-tools/account-access.ts';
import {
  type ControlPlane,
  describeAccess,
  readAccess,
  requireRole,
  unfitRole,
} from '../../platform-tools/account-roles.ts';
import {releaseFor} from '../../release-by-paths.ts';
import {isKeyReplaced, publishedKeys, replacedKey} from '../../signing-keys.ts';
import {type Check, get, type Scene, type Subject, setUpCommand} from '../check.ts';
import {renewedOnce} from './renewed-token.ts';
import {signInAgain} from './sign-in-remedy.ts';

const baseOf = (service: 'control-plane' | 'observer', {controlPlaneUrl, observerUrl = ''}: Subject): string =>
  service === 'observer' ? observerUrl : controlPlaneUrl;

/** Requests `/health` of a service, and shows what its body says. */
export const health = (service: 'control-plane' | 'observer', ground: string): Check => ({
  id: `health-${service}`,
  server: service,
  title: service === 'observer' ? 'Health of the observer' : 'Health of the control plane',
  needs: [ground],
  address: subject => baseOf(service, subject),
  run: async scene => {
    const {subject, learned, ports} = scene;
    const url = addressOf(baseOf(service, subject), subject.platform.paths.health);
    const here = ports.clock.now();
    const reply = await get(scene, url);
    const date = Date.parse(reply.header('date') ?? '');
    if (service === 'control-plane' && !Number.isNaN(date)) learned.clock = {server: date, here};
    requireHealth(service, reply, url);
    const health = healthText(reply);
    return pass(`${reply.status}, ${reply.ms} ms${health ? `: ${health}` : ''}`);
  },
});

export const clock: Check = {
  id: 'clock',
  title: 'Clock',
  needs: ['health-control-plane'],
  run: async ({learned}) => {
    const {clock} = learned;
    if (!clock) return {verdict: 'skipped', saw: 'the server does not say what time it is'};
    const {judgement, saw, sentence} = clockSkew(clock.here, clock.server);
    if (judgement === 'right') return pass('the same as the server’s');
    // A token that was obtained meanwhile is renewed once the clock is right.
    if (judgement === 'off') return warn(saw, sentence, CLOCK_REMEDY);
    throw new SetupError('auth-clock', sentence, {remedy: CLOCK_REMEDY});
  },
};

export const versions: Check = {
  id: 'versions',
  title: 'Versions',
  needs: ['health-control-plane'],
  address: ({controlPlaneUrl}) => controlPlaneUrl,
  run: async scene => {
    const {subject, machine, learned} = scene;
    const url = addressOf(subject.controlPlaneUrl, subject.platform.paths.version);
    const reply = await get(scene, url);
    const version = isSuccess(reply) ? textAt(readJson(reply, url), 'version') : undefined;
    const {platform, controlPlaneUrl} = subject;
    // Asked again: the stored release may be that of a build that has been replaced since.
    const release = await releaseFor(version, {platform, controlPlaneUrl}, scene);
    const reported = release ?? version;
    if (reported === undefined) return {verdict: 'skipped', saw: 'the control plane doesn’t report its version'};
    learned.version = reported;
    const shown = cleanText(version ?? 'of unknown version');
    const paths = release === undefined || release === version ? '' : ` (its paths are those of ${release})`;
    const saw = `platform-setup ${machine.version}, control plane ${shown}${paths}`;
    const {releases} = platform;
    const [oldest, newest] = [releases[0]?.line, releases.at(-1)?.line];
    const made = `this program supports ${oldest} to ${newest}`;
    switch (ageOf(platform, cleanText(reported))) {
      case 'older':
        return warn(
          saw,
          `The control plane is older than ${oldest}: ${made}.`,
          'Ask the platform’s operators to update it. Until then, most things work.',
        );
      case 'newer':
        return warn(
          saw,
          `The control plane is newer than ${newest}: ${made}.`,
          'Update platform-setup if something does not work.',
        );
      default:
        return pass(saw);
    }
  },
};

/** The control plane's metadata as a protected resource (RFC 9728), and the identity provider that it trusts. */
export const resource: Check = {
  id: 'resource',
  title: 'Protected resource metadata',
  needs: ['health-control-plane'],
  address: ({controlPlaneUrl}) => controlPlaneUrl,
  run: async (scene): Promise<Finding> => {
    const {subject, learned} = scene;
    const {platform, controlPlaneUrl, issuer} = subject;
    const url = addressOf(controlPlaneUrl, platform.paths.protectedResource);
    const reply = await get(scene, url);
    if (reply.status === 404) return {verdict: 'skipped', saw: 'the control plane has none'};
    if (!isSuccess(reply)) throw statusError(reply, url, {isOpen: true});
    const metadata = readJson(reply, url);
    learned.resource = metadata;
    const servers = Array.isArray(metadata.authorization_servers) ? metadata.authorization_servers : [];
    const named = typeof metadata.resource === 'string' ? cleanText(metadata.resource) : 'no resource named';
    const isTrusted = servers.some(one => typeof one === 'string' && isSameButSlash(one, issuer));
    if (servers.length > 0 && !isTrusted) {
      const [trusted] = servers;
      throw new SetupError(
        'auth-issuer-mismatch',
        `The control plane trusts ${cleanText(String(trusted))}, but you sign in at ${issuer}.`,
        {
          remedy: phrase`Sign in at the one that it trusts: ${withFlags(setUpCommand(subject, 'auth-url', 'issuer'), `--auth-url ${cleanText(String(trusted))}`)}.`,
        },
      );
    }
    const mcp = addressOf(controlPlaneUrl, platform.paths.mcp).href;
    if (metadata.resource === undefined || metadata.resource === mcp || metadata.resource === controlPlaneUrl)
      return pass(named);
    return warn(
      named,
      `The control plane identifies itself as a resource other than ${mcp}.`,
      'Ask the platform’s operators to set its external address; some clients refuse the current one.',
    );
  },
};

/**
 * Returns the sentence that says that the signing key with this ID was replaced; undefined if it was not, or if that
 * cannot be found out. Waits for the check of the discovery document.
 */
export const keyReplacement = async (keyId: string, scene: Scene): Promise<string | undefined> => {
  const metadata = async () => {
    await scene.outcomeOf('discovery');
    return scene.learned.metadata;
  };
  return (await isKeyReplaced(keyId, metadata, url => get(scene, url))) ? replacedKey(scene.subject.issuer) : undefined;
};

/**
 * Whether the identity provider publishes the token's signing key. A reinstalled provider has another key, and then
 * every server refuses the token, whatever its contents. The check requests a new token, as every command does.
 */
export const signingKey: Check = {
  id: 'signing-key',
  server: 'identity-provider',
  title: 'Signing key of the token',
  needs: ['token', 'discovery'],
  address: ({authUrl}) => authUrl,
  run: async (scene): Promise<Finding> => {
    const {subject, learned} = scene;
    const published = await publishedKeys(learned.metadata, url => get(scene, url));
    const kid = keyIdOf(learned.token?.accessToken ?? '');
    if (published === undefined || kid === undefined) return {verdict: 'skipped', saw: 'no key to compare'};
    if (published.includes(kid)) return pass(`key ${cleanText(kid)}`);
    const sentence = replacedKey(subject.issuer);
    // `signInAgain` waits for the checks of what a sign-in needs, so it is called only if a sign-in is needed.
    const refused = async (message: string, cause?: SetupError) =>
      new SetupError('auth-sign-in-required', message, {cause, remedy: await signInAgain(scene)});
    try {
      const renewed = await renewedOnce('control-plane', learned.token?.accessToken ?? '', scene);
      if (renewed !== undefined) return pass('the keys had changed, so the token was renewed');
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      throw await refused(`${sentence} The token could not be renewed: ${error.message}`, error);
    }
    throw await refused(sentence);
  },
};

/** Returns what readers of an account's permissions need to know of the control plane. */
const controlPlaneOf = async ({subject, learned, outcomeOf}: Scene): Promise<ControlPlane> => {
  // The check of the versions sets the version, which decides the form of a role binding.
  await outcomeOf(versions.id);
  const {platform, controlPlaneUrl, context} = subject;
  return {
    ...{platform, controlPlaneUrl},
    ...(learned.version === undefined ? {} : {version: learned.version}),
    ...(context?.contact === undefined ? {} : {contact: context.contact}),
  };
};

const NO_ROLES: Finding = {verdict: 'skipped', saw: 'the control plane asks for no role, or does not say'};

/** Whether the account may do anything at all: an account can be signed in correctly and have no role. */
export const access: Check = {
  id: 'access',
  title: 'What the account may do',
  needs: ['token', 'health-control-plane'],
  address: ({controlPlaneUrl}) => controlPlaneUrl,
  run: async (scene): Promise<Finding> => {
    const {subject, learned, outcomeOf} = scene;
    await outcomeOf(signingKey.id);
    const known = await controlPlaneOf(scene);
    const purpose = presetIn(subject.context?.entries?.find(({tools}) => presetIn(tools) !== undefined)?.tools);
    const needed = purpose === undefined ? {} : {purpose};
    const role = await requireRole({...known, token: learned.token?.accessToken ?? ''}, scene, needed);
    return role === undefined ? NO_ROLES : pass(role);
  },
};

/** Returns the saved access token of the assistants' account; undefined if it has none that is valid. */
const savedTokenOfAssistants = async (
  context: Context,
  {ports: {credentials, clock}}: Scene,
): Promise<string | undefined> => {
  const theirs = asAssistants(context);
  const stored = theirs && (await credentials.get(theirs));
  return stored && isUsable(stored, clock.now()) ? stored.accessToken : undefined;
};

/** The ID of the check of what the assistants' account may do. */
export const ASSISTANTS_ACCESS = 'assistants-access';

/**
 * Returns the check whether the account of the assistants may do what it is for: it has a role for that, and one that is
 * meant only to look can make no changes.
 *
 * @param after the checks of the entries, which renew that account's sign-in, and report what is wrong with it
 */
export const assistantsAccess = (after: readonly string[]): Check => ({
  id: ASSISTANTS_ACCESS,
  title: 'What your assistants’ account may do',
  needs: ['config', 'health-control-plane'],
  address: ({controlPlaneUrl}) => controlPlaneUrl,
  run: async (scene): Promise<Finding> => {
    const {context, assistants, platform} = scene.subject;
    const purpose = assistants?.purpose ?? context?.assistantsAccount?.purpose;
    await Promise.all(after.map(scene.outcomeOf));
    const token = assistants?.token?.reveal() ?? (context && (await savedTokenOfAssistants(context, scene)));
    if (token === undefined)
      return {verdict: 'skipped', saw: 'your assistants’ account has no valid token at the moment'};
    const controlPlane = await controlPlaneOf(scene);
    const found = await readAccess({...controlPlane, token}, scene);
    if (found.kind === 'unknown') return NO_ROLES;
    // A running wizard grants the role itself.
    const command = context && !assistants && grantCommand(context, platform, controlPlane.version);
    const missing = unfitRole(found, controlPlane, {purpose: purpose ?? 'look', ...(command ? {command} : {})});
    if (missing) throw missing;
    const saw = describeAccess(found);
    return purpose === 'look' && found.changes > 0 ? warn(saw, ...mayChange(saw)) : pass(saw);
  },
});
