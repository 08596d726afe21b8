import type {Finding} from '../../../domain/finding.ts';
import {type Advice, phrase, type SuggestedCommand, type Text} from '../../../errors/remedy.ts';
import {type Check, loginCommand, type Scene} from '../check.ts';
import {discovery, grants, issuer, redirectUrl} from './identity-checks.ts';
import {lastNetworkCheck, networkChecks} from './network-checks.ts';

/** How long to wait for the checks of what a sign-in needs, in milliseconds: less than a check may take. */
const TIMEOUT = 2_000;

/** Checks of other files, which depend on this one. */
const proxy = {id: 'proxy', title: 'Proxy'};
const health = {id: 'health-control-plane', title: 'Health of the control plane'};
const clock = {id: 'clock', title: 'Clock'};

/**
 * Says what to do if only another sign-in helps. Names first what would prevent the sign-in.
 *
 * @param after a sentence to add if nothing prevents the sign-in
 * @param words the beginning of the first sentence
 * @returns sentences, with the command that signs in
 */
export const signInAgain = async (scene: Scene, after?: string, words = 'Sign in again'): Promise<Advice> => {
  const command = loginCommand(scene.subject);
  const first = await firstInTheWay(scene);
  if (first === undefined) return [phrase`${words}: ${command}.`, ...(after === undefined ? [] : [after])];
  return phrase`Fix “${first}” first, then ${words.charAt(0).toLowerCase()}${words.slice(1)}: ${command}.`;
};

/**
 * Says how to set up a deployment that is not saved yet, or to sign in there. Both look for the platform first, so this
 * names first what would prevent that.
 *
 * @param words what to do, as the beginning of a sentence before `command`
 */
export const onNewDeployment = async (scene: Scene, words: string, command: SuggestedCommand): Promise<Text> => {
  const {controlPlaneUrl} = scene.subject;
  const first = await firstInTheWay(scene, [...networkChecks('control-plane', controlPlaneUrl), health]);
  if (first === undefined) return phrase`${words} ${command}.`;
  return phrase`Fix “${first}” first, then ${words.charAt(0).toLowerCase()}${words.slice(1)} ${command}.`;
};

/**
 * Returns the title of the first failed check of what a sign-in needs; undefined if there is none.
 *
 * @param before further checks, which come first
 */
const firstInTheWay = async (
  scene: Scene,
  before: readonly Pick<Check, 'id' | 'title'>[] = [],
): Promise<string | undefined> => {
  const {subject, outcomeOf, ports, signal} = scene;
  const needed = [
    proxy,
    ...before,
    ...networkChecks('identity-provider', subject.authUrl),
    ...[discovery(lastNetworkCheck('identity-provider', subject)), issuer, grants, redirectUrl, clock],
  ];
  const over = new AbortController();
  const time = ports.clock.sleep(TIMEOUT, AbortSignal.any([over.signal, signal])).catch(() => undefined);
  const known: (Finding | undefined)[] = [];
  for (const {id} of needed) known.push((await Promise.race([outcomeOf(id), time])) ?? undefined);
  over.abort();
  return needed.find((_, index) => known[index]?.verdict === 'fail')?.title;
};
