import type {Assistant} from '../../assistants/assistant.ts';
import type {Place} from '../../assistants/place.ts';
import {asAssistants, type Context, type GrantedRole} from '../../domain/context.ts';
import {Secret} from '../../domain/secret.ts';
import {SetupError} from '../../errors/errors.ts';
import {platformOfDeployment} from '../../platform/platforms.ts';
import {releaseOf} from '../../platform/recognise.ts';
import {posixWord} from '../../shell-quoting.ts';
import type {Run} from '../flow.ts';
import {manifestFor, readAccess, readVersion} from '../platform-tools/account-roles.ts';
import {grantRole, removeRole} from '../platform-tools/grant-role.ts';
import {signOut} from '../sign-out.ts';
import {accessTokenOnceMore} from './access-token.ts';

/** A role that this program granted. `why`: why it could not be taken back, as a sentence. */
export type TakenRole = {
  /** Where it was granted: `at` the address of a control plane, or `in` a kube context. */
  readonly place: string;
  readonly bindings: readonly string[];
  readonly why?: string;
  /** The command by which an administrator of the cluster takes it back; only with `why`. */
  readonly command?: string;
};

/** Returns the role that this program granted to a context's assistants; undefined if there is none. */
export const grantedIn = ({assistantsAccount}: Context): GrantedRole | undefined => {
  const {granted} = assistantsAccount ?? {};
  return granted && granted.bindings.length > 0 ? granted : undefined;
};

/** Names the bindings of a role that this program granted, and where they are. */
export const rolePlace = (
  {controlPlaneUrl}: Context,
  {bindings, kubeContext}: GrantedRole,
): Pick<TakenRole, 'place' | 'bindings'> => ({
  place: kubeContext === undefined ? `at ${controlPlaneUrl}` : `in the kube context ${kubeContext}`,
  bindings,
});

/**
 * Takes back the role that this program granted to the account of a context's assistants, with the person's own sign-in
 * or with kubectl, as it was granted. If that is not possible, the result says why, and by which command an
 * administrator can do it.
 *
 * @throws the signal's reason
 */
export const takeRoleBack = async (context: Context, run: Run): Promise<TakenRole | undefined> => {
  const granted = grantedIn(context);
  if (!granted) return undefined;
  const {controlPlaneUrl} = context;
  const platform = platformOfDeployment(context);
  const taken = rolePlace(context, granted);
  try {
    const version = context.release ?? (await readVersion({controlPlaneUrl, platform}, run));
    const isInCluster = granted.kubeContext !== undefined;
    const token = new Secret(isInCluster ? '' : (await accessTokenOnceMore(context, run)).accessToken);
    await removeRole({platform, controlPlaneUrl, version, token, granted}, run);
    return taken;
  } catch (error) {
    run.signal.throwIfAborted();
    if (!(error instanceof SetupError)) throw error;
    const kind = releaseOf(platform, context.release).roles?.kind.toLowerCase() ?? 'clusterauthzrolebinding';
    const at = granted.kubeContext === undefined ? '' : `--context ${posixWord(granted.kubeContext)} `;
    return {...taken, why: error.message, command: `kubectl ${at}delete ${kind} ${granted.bindings.join(' ')}`};
  }
};

/** A role that was granted again. `why`: why it could not be, as a sentence. */
export type GrantedAgain = Pick<TakenRole, 'place' | 'bindings' | 'why'>;

/**
 * Grants the account of a context's assistants the role that the context says it has, in the way in which it was granted
 * before. Undefined if there is none, or if the control plane does not say to what roles are bound.
 *
 * @throws the signal's reason
 */
export const grantRoleAgain = async (context: Context, run: Run): Promise<GrantedAgain | undefined> => {
  const granted = grantedIn(context);
  const theirs = asAssistants(context);
  if (!granted || !theirs) return undefined;
  const {kubeContext} = granted;
  const {controlPlaneUrl, assistantsAccount: {purpose = 'look'} = {}} = context;
  const platform = platformOfDeployment(context);
  const again = rolePlace(context, granted);
  try {
    const version = context.release ?? (await readVersion({controlPlaneUrl, platform}, run));
    const at = {platform, controlPlaneUrl, ...(version === undefined ? {} : {version})};
    const access = await readAccess({...at, token: (await accessTokenOnceMore(theirs, run)).accessToken}, run);
    const manifest = manifestFor(access, at, {purpose});
    if (manifest === undefined) return undefined;
    const token = new Secret(kubeContext === undefined ? (await accessTokenOnceMore(context, run)).accessToken : '');
    await grantRole({...at, token, manifest, kubeContext}, run);
    return again;
  } catch (error) {
    run.signal.throwIfAborted();
    if (!(error instanceof SetupError)) throw error;
    return {...again, why: error.message};
  }
};

/** Says what became of a role that was to be granted again, as a sentence. */
export const sayGrantedAgain = ({place, bindings, why}: GrantedAgain): string => {
  const names = `the role binding${bindings.length === 1 ? '' : 's'} ${bindings.join(', ')}`;
  return why === undefined
    ? `Created ${names} ${place} again.`
    : `Could not create ${names} ${place} again: ${why} Your assistants’ account lacks this role now.`;
};

type Input = {
  readonly context: Context;
  readonly assistants: readonly Assistant[];
  readonly place: Place;
  /** The files that the caller writes without the account's tokens afterwards. */
  readonly rewritten: readonly string[];
};

/**
 * Ends the account of a context's assistants: takes back its role, signs it out, and forgets it. From then on they act
 * as the person.
 *
 * @returns the role that it had, if this program granted it
 * @throws SetupError as `signOut` does
 */
export const giveUpAccount = async ({context, ...where}: Input, run: Run): Promise<TakenRole | undefined> => {
  const theirs = asAssistants(context);
  if (!theirs) return undefined;
  const taken = await takeRoleBack(context, run);
  await signOut({context: theirs, ...where}, run);
  await run.ports.config.saveAssistantsAccount(context.name, undefined);
  return taken;
};

/** Says what became of a role that was granted, as a sentence. */
export const sayTaken = ({place, bindings, why, command}: TakenRole): string => {
  const names = `the role binding${bindings.length === 1 ? '' : 's'} ${bindings.join(', ')}`;
  return why === undefined
    ? `Deleted ${names} ${place}.`
    : `Could not delete ${names} ${place}: ${why} An administrator can run ${command}.`;
};
