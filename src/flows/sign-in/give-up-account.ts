import type {Assistant} from '../../assistants/assistant.ts';
import type {Place} from '../../assistants/place.ts';
import {asAssistants, type Context, type GrantedRole} from '../../domain/context.ts';
import {Secret} from '../../domain/secret.ts';
import {SetupError} from '../../errors/errors.ts';
import {platformOfDeployment} from '../../platform/platforms.ts';
import {releaseOf} from '../../platform/recognise.ts';
import type {Run} from '../flow.ts';
import {readVersion} from '../platform-tools/account-roles.ts';
import {removeRole} from '../platform-tools/grant-role.ts';
import {signOut} from '../sign-out.ts';
import {accessTokenOnceMore} from './access-token.ts';

/** A role that this program granted, at a control plane. `why`: why it could not be taken back, as a sentence. */
export type TakenRole = {
  readonly url: string;
  readonly bindings: readonly string[];
  readonly why?: string;
  /** The command by which an administrator of the cluster takes it back; only with `why`. */
  readonly command?: string;
};

/** Returns whether a context's assistants have a role that this program granted. */
export const grantedIn = ({assistantsAccount}: Context): GrantedRole | undefined => {
  const {granted} = assistantsAccount ?? {};
  return granted && granted.bindings.length > 0 ? granted : undefined;
};

/**
 * Takes back the role that this program granted to the account of a context's assistants, with the person's own sign-in.
 * If that is not possible, the result says why, and by which command an administrator can do it.
 *
 * @throws the signal's reason
 */
export const takeRoleBack = async (context: Context, run: Run): Promise<TakenRole | undefined> => {
  const granted = grantedIn(context);
  if (!granted) return undefined;
  const {controlPlaneUrl} = context;
  const platform = platformOfDeployment(context);
  const taken = {url: controlPlaneUrl, bindings: granted.bindings};
  try {
    const version = context.release ?? (await readVersion({controlPlaneUrl, platform}, run));
    const token = new Secret((await accessTokenOnceMore(context, run)).accessToken);
    await removeRole({platform, controlPlaneUrl, version, token, granted}, run);
    return taken;
  } catch (error) {
    run.signal.throwIfAborted();
    if (!(error instanceof SetupError)) throw error;
    const kind = releaseOf(platform, context.release).roles?.kind.toLowerCase() ?? 'clusterauthzrolebinding';
    return {...taken, why: error.message, command: `kubectl delete ${kind} ${granted.bindings.join(' ')}`};
  }
};

type Input = {
  readonly context: Context;
  readonly assistants: readonly Assistant[];
  readonly place: Place;
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
export const sayTaken = ({url, bindings, why, command}: TakenRole): string => {
  const names = `the role binding${bindings.length === 1 ? '' : 's'} ${bindings.join(', ')}`;
  return why === undefined
    ? `Deleted ${names} at ${url}.`
    : `Could not delete ${names} at ${url}: ${why} An administrator can run ${command}.`;
};
