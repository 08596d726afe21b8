import {identity023} from './identity-0-23.ts';
import type {IdentityRelease} from './identity-release.ts';

/** The identity provider that release 0.17 comes with, by its sources. */
export const identity024: IdentityRelease = {
  ...identity023,
  tokens: {...identity023.tokens, accessTokenType: 'at+jwt', idTokenOnRefresh: true},
};
