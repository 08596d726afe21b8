import {identity021} from './identity-0-21.ts';
import type {IdentityRelease} from './identity-release.ts';

/** The identity provider that release 0.16 comes with, by its sources: a wrong password can be put right, and clients are registered by administrators. */
export const identity023: IdentityRelease = {
  ...identity021,
  registration: 'closed',
  flow: {
    ...identity021.flow,
    afterFailure: 'again',
    reasons: {'wrong-password': 'Invalid credentials provided', 'unknown-user': 'User not found'},
  },
  applications: {...identity021.applications, ownIssuer: false},
};
