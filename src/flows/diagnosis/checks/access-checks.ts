import {type Finding, pass} from '../../../domain/finding.ts';
import {keyIdOf} from '../../../domain/tokens.ts';
import {SetupError} from '../../../errors/errors.ts';
import {cleanText} from '../../../text.ts';
import {isSuccess, readJson, statusError} from '../../answers.ts';
import {namedAddress} from '../../named-address.ts';
import {requireRole} from '../../platform-tools/access.ts';
import type {Check, Scene} from '../check.ts';
import {get, versions} from './platform-checks.ts';
import {renewedOnce} from './renewed-token.ts';
import {signInAgain} from './sign-in-again.ts';

/**
 * Whether the identity provider publishes the token's signing key. A reinstalled provider has another key, and then
 * every server refuses the token, whatever its contents. The check requests a new token, as every command does.
 */
export const signingKey: Check = {
  id: 'signing-key',
  title: 'Signing key of the token',
  needs: ['token', 'discovery'],
  address: ({authUrl}) => authUrl,
  run: async (scene): Promise<Finding> => {
    const {subject, learned} = scene;
    const published = await publishedKeys(scene);
    const kid = keyIdOf(learned.token?.accessToken ?? '');
    if (published === undefined || kid === undefined) return {verdict: 'skipped', saw: 'no key to compare'};
    if (published.includes(kid)) return pass(`key ${cleanText(kid)}`);
    const sentence = `The token is signed with a key that ${subject.issuer} no longer publishes: it was reinstalled, or its keys were replaced.`;
    // `signInAgain` waits for the checks of what a sign-in needs, so it is called only if a sign-in is needed.
    const refused = async (message: string, cause?: SetupError) =>
      new SetupError('auth-token-refused', message, {
        cause,
        remedy: await signInAgain(scene),
        about: {isSignInOver: true},
      });
    try {
      const renewed = await renewedOnce('control-plane', learned.token?.accessToken ?? '', scene);
      if (renewed !== undefined) return pass('the keys had changed, so the token was renewed');
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      throw await refused(`${sentence} Its renewal failed: ${error.message}`, error);
    }
    throw await refused(sentence);
  },
};

/** Returns the identifiers of the keys that verify tokens (RFC 7517 4.5); undefined if the metadata names no keys. */
const publishedKeys = async (scene: Scene): Promise<readonly string[] | undefined> => {
  const url = namedAddress(scene.learned.metadata?.jwks_uri);
  if (!url) return undefined;
  const reply = await get(scene, url);
  if (!isSuccess(reply)) throw statusError(reply, url, {isOpen: true});
  const {keys} = readJson(reply, url);
  if (!Array.isArray(keys))
    throw new SetupError('platform-invalid-answer', `${url.href} did not return the keys that sign its ID tokens.`, {
      about: {url: url.href},
    });
  return keys.flatMap((key: {kid?: unknown} | null) => (typeof key?.kid === 'string' ? [key.kid] : []));
};

/** Whether the account may do anything at all: an account can be signed in correctly and have no role. */
export const access: Check = {
  id: 'access',
  title: 'What the account may do',
  needs: ['token', 'health-control-plane'],
  address: ({controlPlaneUrl}) => controlPlaneUrl,
  run: async (scene): Promise<Finding> => {
    const {subject, learned, outcomeOf} = scene;
    // That check sets the version, which decides the form of a role binding.
    await outcomeOf(versions.id);
    await outcomeOf(signingKey.id);
    const {platform, controlPlaneUrl} = subject;
    const contact = subject.context?.contact;
    const known = {
      ...{platform, controlPlaneUrl},
      ...(learned.version === undefined ? {} : {version: learned.version}),
      ...(contact === undefined ? {} : {contact}),
    };
    const purpose = subject.context?.entries?.find(({tools}) => tools !== undefined)?.tools;
    const needed = purpose === undefined ? {} : {purpose};
    const role = await requireRole({...known, token: learned.token?.accessToken ?? ''}, scene, needed);
    return role === undefined
      ? {verdict: 'skipped', saw: 'the control plane asks for no role, or does not say'}
      : pass(role);
  },
};
