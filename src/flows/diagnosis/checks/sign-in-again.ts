import type {Finding} from '../../../domain/finding.ts';
import {loginCommand, type Scene} from '../check.ts';
import {discovery, grants, issuer, redirectUrl} from './identity-checks.ts';
import {groundOf, networkChecks} from './network-checks.ts';

/** For how long what is needed for a sign-in is waited for, in milliseconds: less than a check may take. */
const PATIENCE = 2_000;

/**
 * What to do where only another sign-in helps. What would keep that from succeeding is named first.
 *
 * @param after what is said besides where nothing is in the way, a sentence
 * @param words how the first sentence begins
 * @returns sentences, with the command that signs in
 */
export const signInAgain = async (scene: Scene, after?: string, words = 'Sign in again'): Promise<string> => {
  const command = `${loginCommand(scene.subject)}.`;
  const first = await firstInTheWay(scene);
  if (first === undefined) return [`${words}: ${command}`, ...(after === undefined ? [] : [after])].join(' ');
  return `Fix “${first}” first, then ${words.charAt(0).toLowerCase()}${words.slice(1)}: ${command}`;
};

/** The title of the first check that failed and without which nobody can sign in; undefined where there is none. */
const firstInTheWay = async (scene: Scene): Promise<string | undefined> => {
  const {subject, outcomeOf, ports, signal} = scene;
  const needed = [
    ...networkChecks('identity-provider', subject.authUrl),
    ...[discovery(groundOf('identity-provider', subject)), issuer, grants, redirectUrl],
  ];
  const over = new AbortController();
  const time = ports.clock.sleep(PATIENCE, AbortSignal.any([over.signal, signal])).catch(() => undefined);
  const known: (Finding | undefined)[] = [];
  for (const {id} of needed) known.push((await Promise.race([outcomeOf(id), time])) ?? undefined);
  over.abort();
  return needed.find((_, index) => known[index]?.verdict === 'fail')?.title;
};
