import {expect} from 'vitest';
import type {FaultName} from '../../../src/sandbox/faults.ts';
import {type Diagnosed, type Scene, sceneOf} from './scene.ts';

/**
 * Returns the cause that a diagnosis names: the first failed check, or the warning of a fault that only deserves one.
 */
export const causeIn = ({failed, warned}: Diagnosed) => failed[0] ?? warned.find(({id}) => id === 'versions');

/** Returns the cause for comparison, without what differs from sandbox to sandbox: ports, processes, times, the scheme. */
export const nameIn = (diagnosed: Diagnosed): string => {
  const {id = 'nothing', sentence = ''} = causeIn(diagnosed) ?? {};
  // A duration has no minutes on the hour.
  const timeless = sentence.replaceAll(/\d+ h(?: \d+ min)?/g, 'N h');
  return `${id}: ${timeless.replaceAll(/https?:/g, 'http:').replaceAll(/\d+/g, 'N')}`;
};

/** How a fault shows when it is the only one. The person signed in before it began or, if possible, after. */
export type Alone = {
  /**
   * The first check that fails: for a person who signed in before the fault began, for the same person once a renewal
   * has been refused, and for one who has signed in since.
   */
  readonly ids: readonly string[];
  readonly names: readonly string[];
  /** All checks that fail. */
  readonly failing: readonly string[];
  /** The checks that are skipped for that, and fail themselves if another fault hides the reason. */
  readonly resting?: readonly string[];
};

const known = new Map<FaultName, Promise<Alone>>();

/** Diagnoses each fault alone, once per test file, when the first test asks for it. */
export const alone = (fault: FaultName): Promise<Alone> => {
  const found = known.get(fault) ?? lookAt(fault);
  known.set(fault, found);
  return found;
};

const lookAt = async (fault: FaultName): Promise<Alone> => {
  const scene = await sceneOf('person');
  await scene.signIn();
  await scene.expire();
  await scene.sandbox.raise([fault]);
  const before = await scene.diagnose();
  // A renewal that was refused in between has ended the sign-in.
  const again = await scene.diagnose();
  const after = (await signedIn(scene)) ? await scene.diagnose() : before;
  return {
    ids: [before, again, after].map(one => causeIn(one)?.id ?? 'nothing'),
    names: [before, again, after].map(nameIn),
    failing: [before, again, after].flatMap(({failed}) => failed.map(({id}) => id)),
    resting: [before, again, after].flatMap(({skipped}) => skipped.flatMap(({id, because}) => (because ? id : []))),
  };
};

/** Signs in, if that is possible now, and lets the token expire. */
export const signedIn = async (scene: Scene): Promise<boolean> => {
  const succeeded = await scene.signIn().then(
    () => true,
    () => false,
  );
  await scene.expire();
  return succeeded;
};

/** Whether the remedy includes a new sign-in. */
export const asksToSignIn = ({failed}: Diagnosed): boolean =>
  failed.some(({remedy = ''}) => /sign in again: npx setup login/i.test(remedy));

/** Checks a diagnosis of several faults. `faults` says how each of them shows when it is the only one. */
export const expectNamed = (diagnosed: Diagnosed, faults: readonly Alone[]): void => {
  const {outcomes, failed, skipped} = diagnosed;
  // The cause belongs to one of the faults, and no check fails that none of them breaks.
  expect(faults.flatMap(({names}) => names)).toContain(nameIn(diagnosed));
  // Only a refusal shows that a server does not accept the audience of a token, so another fault can hide that check,
  // and the checks that rest on it then fail by themselves.
  const gone = new Set(failed.map(({id}) => id));
  const isHidden = (id: string) => id === 'claims' && !gone.has(id);
  const breakable = faults.flatMap(({ids, failing, resting = []}) => [
    ...failing,
    ...(ids.some(isHidden) ? resting : []),
  ]);
  expect([...gone].filter(id => !breakable.includes(id))).toEqual([]);
  // The cause is the first failed check: no fault can only show before it. A warning is the cause only if no check fails.
  const order = outcomes.map(({id}) => id);
  const cause = order.indexOf(causeIn(diagnosed)?.id ?? 'nothing');
  const failing = faults.filter(one => one.failing.length > 0);
  for (const {ids} of failing.length > 0 ? failing : faults) {
    if (!ids.every(isHidden)) expect(Math.max(...ids.map(id => order.indexOf(id)))).toBeGreaterThanOrEqual(cause);
  }
  // A check that is skipped for a reason rests on a failed one.
  expect(skipped.filter(({because}) => because !== undefined && !gone.has(because))).toEqual([]);
};
