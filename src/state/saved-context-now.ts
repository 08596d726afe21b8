import {type Context, sameContextIn} from '../domain/context.ts';
import type {Ports} from '../ports/ports.ts';
import type {WizardState} from './model.ts';

/**
 * Returns the saved context of this run as it is now, if another run has changed it meanwhile. Addresses from flags stay
 * in the place of the saved ones. Once this run has saved a sign-in, only the entries are read: its screens compare the
 * sign-in with the one before. Undefined if nothing has changed, if the context is gone, and once this run has written
 * entries.
 */
export const savedContextNow = async (
  {settings: {saved}, facts}: Pick<WizardState, 'settings' | 'facts'>,
  {config}: Pick<Ports, 'config'>,
): Promise<Context | undefined> => {
  if (!saved || facts.written) return undefined;
  // The step that needs the file reports that it cannot be read.
  const all = await config.read().catch(() => undefined);
  const current = all && sameContextIn(all, saved);
  if (!current) return undefined;
  const {entries: _, ...withoutEntries} = saved;
  const {observerUrl: __, ...withoutObserver} = current;
  const {controlPlaneUrl, observerUrl, authUrl, issuer} = saved;
  const others = observerUrl === undefined ? withoutObserver : {...current, observerUrl};
  const withEntries = current.entries ? {...saved, entries: current.entries} : withoutEntries;
  const now = facts.signInSaved ? withEntries : {...others, controlPlaneUrl, authUrl, issuer};
  return JSON.stringify(now) === JSON.stringify(saved) ? undefined : now;
};
