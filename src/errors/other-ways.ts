import type {SetupError} from './errors.ts';
import {orByCode} from './port-remedies.ts';

/**
 * The failure to listen for a browser, with what else the identity provider offers.
 *
 * @param device whether it signs people in with a code
 */
export const withOtherWays = (error: SetupError, device: boolean): SetupError => {
  const known = error.with({isDeviceOffered: device});
  return device ? known.advising(orByCode) : known;
};
