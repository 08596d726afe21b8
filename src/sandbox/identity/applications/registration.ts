import {isDeepStrictEqual} from 'node:util';
import type {Application, Applications} from './applications.ts';

/**
 * Registers applications as they are wanted at the moment, and again each time that what it returns is called. What is
 * wanted as it was before is left as people have made it since: only what a fault has changed is put right.
 *
 * @param wanted an application as it is to be registered; undefined when it is not to be
 */
export const registration = (
  given: readonly Application[],
  applications: Applications,
  wanted: (application: Application) => Application | undefined,
): (() => void) => {
  const registered = new Map<string, Application | undefined>();
  return () => {
    for (const application of given) {
      const now = wanted(application);
      if (registered.has(application.id) && isDeepStrictEqual(now, registered.get(application.id))) continue;
      registered.set(application.id, now);
      // Somebody may have registered it meanwhile, as a remedy says, under an ID of its own.
      const present = applications.byClientId(application.clientId);
      if (now) applications.put({...now, id: present?.id ?? now.id});
      else if (present) applications.delete(present.id);
    }
  };
};
