import type {SetupError} from './errors.ts';
import {orByCode} from './port-remedies.ts';

/**
 * Returns the failure to listen for a browser, with the alternative that the identity provider offers.
 *
 * @param device true if it signs people in with a code
 */
export const withOtherWays = (error: SetupError, device: boolean): SetupError => {
  const known = error.with({isDeviceOffered: device});
  return device ? known.advising(orByCode) : known;
};
