import type {Finding} from '../../../domain/finding.ts';
import {type Advice, phrase} from '../../../errors/remedy.ts';
import {loginCommand, type Scene} from '../check.ts';
import {discovery, grants, issuer, redirectUrl} from './identity-checks.ts';
import {lastNetworkCheck, networkChecks} from './network-checks.ts';

/** How long to wait for the checks of what a sign-in needs, in milliseconds: less than a check may take. */
const TIMEOUT = 2_000;

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

/** Returns the title of the first failed check of what a sign-in needs; undefined if there is none. */
const firstInTheWay = async (scene: Scene): Promise<string | undefined> => {
  const {subject, outcomeOf, ports, signal} = scene;
  const needed = [
    ...networkChecks('identity-provider', subject.authUrl),
    ...[discovery(lastNetworkCheck('identity-provider', subject)), issuer, grants, redirectUrl],
  ];
  const over = new AbortController();
  const time = ports.clock.sleep(TIMEOUT, AbortSignal.any([over.signal, signal])).catch(() => undefined);
  const known: (Finding | undefined)[] = [];
  for (const {id} of needed) known.push((await Promise.race([outcomeOf(id), time])) ?? undefined);
  over.abort();
  return needed.find((_, index) => known[index]?.verdict === 'fail')?.title;
};
