import type {Context} from '../../../domain/context.ts';
import {isAlive, signInStanding} from '../../../domain/sign-in-lifecycle.ts';
import type {Ports} from '../../../ports/ports.ts';

/** Another saved deployment, and whether a person has to sign in there. */
export type OtherContext = {readonly name: string; readonly isSignedOut: boolean};

/**
 * The saved deployments besides one, and how the sign-in of each stands by what is kept; no server is asked. A sign-in that
 * cannot be read counts as ended.
 *
 * @throws SetupError `local-config-invalid`, `local-open-to-others`
 */
export const inspectOthers = async (
  {name}: Pick<Context, 'name'>,
  {config, credentials, clock}: Pick<Ports, 'config' | 'credentials' | 'clock'>,
): Promise<readonly OtherContext[]> => {
  const others = (await config.read()).contexts.filter(one => one.name !== name);
  if (others.length === 0) return [];
  const now = clock.now();
  const kept = await credentials.getEach(others);
  return others.map(({name: other}, index) => {
    const found = kept[index];
    const isKnown = found?.status === 'fulfilled' && isAlive(signInStanding(found.value, now));
    return {name: other, isSignedOut: !isKnown};
  });
};
