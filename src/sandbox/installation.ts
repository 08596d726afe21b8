import type {Kind} from './kinds/kind.ts';
import {kinds} from './kinds/kinds.ts';
import type {Release} from './releases/release.ts';
import {documentedRelease, releases} from './releases/releases.ts';
import type {SandboxOptions} from './sandbox.ts';
import {SandboxInputError} from './sandbox-input-error.ts';

type Choices = Pick<SandboxOptions, 'release' | 'platform' | 'refreshTokens' | 'signInLifetime'>;

/** The release and the kind of platform that a sandbox is, with what was asked for otherwise. @throws SandboxInputError */
export const installationOf = (options: Choices): {readonly release: Release; readonly kind: Kind} => {
  const {release = documentedRelease, platform = 'bundled', refreshTokens, signInLifetime} = options;
  if (!Object.hasOwn(releases, release)) throw new SandboxInputError(`There is no release ${release}.`);
  if (!Object.hasOwn(kinds, platform)) throw new SandboxInputError(`There is no platform ${platform}.`);
  if (signInLifetime !== undefined && !(Number.isInteger(signInLifetime) && signInLifetime > 0)) {
    throw new SandboxInputError(`A sign-in cannot last for ${signInLifetime} seconds.`);
  }
  const as: Release = releases[release];
  const {tokens} = as.identity;
  const own = {
    refreshTokens: refreshTokens ?? tokens.refreshTokens,
    signInLifetime: signInLifetime ?? tokens.signInLifetime,
  };
  return {
    release: {...as, identity: {...as.identity, tokens: {...tokens, ...own}}},
    kind: kinds[platform],
  };
};
