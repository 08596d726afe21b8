import {expect} from 'vitest';
import type {FaultName} from '../../../src/sandbox/faults.ts';
import {type Diagnosed, type Scene, sceneOf} from './scene.ts';

/** What a diagnosis names as the cause: the first check that fails, or the warning of a fault that is only worth one. */
export const causeIn = ({failed, warned}: Diagnosed) => failed[0] ?? warned.find(({id}) => id === 'versions');

/** The same for comparison, without what differs from sandbox to sandbox: ports, processes, the scheme. */
export const nameIn = (diagnosed: Diagnosed): string => {
  const {id = 'nothing', sentence = ''} = causeIn(diagnosed) ?? {};
  return `${id}: ${sentence.replaceAll(/https?:/g, 'http:').replaceAll(/\d+/g, 'N')}`;
};

/** How a fault shows where it is the only one, to a person who signed in before it began or, where they can, after. */
export type Alone = {
  /** The first check that fails. */
  readonly id: string;
  readonly names: readonly string[];
  /** All checks that fail. */
  readonly failing: readonly string[];
};

const known = new Map<FaultName, Promise<Alone>>();

/** Each is looked at once in a file, by whichever test asks for it first. */
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
  // A renewal that was refused meanwhile has ended the sign-in.
  const again = await scene.diagnose();
  const after = (await signedIn(scene)) ? await scene.diagnose() : before;
  return {
    id: causeIn(before)?.id ?? 'nothing',
    names: [before, again, after].map(nameIn),
    failing: [before, again, after].flatMap(({failed}) => failed.map(({id}) => id)),
  };
};

/** Signs in, if that is possible now, and lets the token end. */
export const signedIn = async (scene: Scene): Promise<boolean> => {
  const succeeded = await scene.signIn().then(
    () => true,
    () => false,
  );
  await scene.expire();
  return succeeded;
};

/** Whether what is to be done includes a new sign-in. */
export const asksToSignIn = ({failed}: Diagnosed): boolean =>
  failed.some(({remedy = ''}) => /sign in again: npx setup login/i.test(remedy));

/** What every diagnosis of several faults owes, each of which shows as `faults` say when it is the only one. */
export const expectNamed = (diagnosed: Diagnosed, faults: readonly Alone[]): void => {
  const {outcomes, failed, skipped} = diagnosed;
  // The cause is one of theirs, and nothing is called broken that neither of them breaks.
  expect(faults.flatMap(({names}) => names)).toContain(nameIn(diagnosed));
  const breakable = faults.flatMap(({failing}) => failing);
  expect(failed.map(({id}) => id).filter(id => !breakable.includes(id))).toEqual([]);
  // It is the one that stands lowest, and what is only worth a warning comes after every failure.
  const order = outcomes.map(({id}) => id);
  const failing = faults.filter(one => one.failing.length > 0);
  const lowest = Math.min(...(failing.length > 0 ? failing : faults).map(({id}) => order.indexOf(id)));
  expect(causeIn(diagnosed)?.id).toBe(order[lowest]);
  // What is skipped for a reason rests on what failed.
  const gone = new Set(failed.map(({id}) => id));
  expect(skipped.filter(({because}) => because !== undefined && !gone.has(because))).toEqual([]);
};
