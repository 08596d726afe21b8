import {asCompany, type SandboxCompany} from './company.ts';
import type {Kind} from './kinds/kind.ts';
import {type KindName, kinds} from './kinds/kinds.ts';
import type {RefreshTokenUse} from './releases/identity-release.ts';
import type {Release} from './releases/release.ts';
import {documentedRelease, type ReleaseName, releases} from './releases/releases.ts';
import {SandboxInputError} from './sandbox-input-error.ts';

export type InstallationOptions = {
  /** As which release of the platform it answers. The documented one by default. */
  readonly release?: ReleaseName;
  /** Under which names. The documentation's own by default. */
  readonly platform?: KindName;
  /** Under whose names, in the place of that kind's own. */
  readonly company?: SandboxCompany;
  /** Whether refresh tokens are good once, again and again, or not given. By default as the release does. */
  readonly refreshTokens?: RefreshTokenUse;
  /** How long a person's sign-in lasts, however often it is renewed, in seconds. A day by default. */
  readonly signInLifetime?: number;
};

/** The release and the kind of platform that a sandbox is, with what was asked for otherwise. @throws SandboxInputError */
export const installationOf = (options: InstallationOptions): {readonly release: Release; readonly kind: Kind} => {
  const {release = documentedRelease, company, refreshTokens, signInLifetime} = options;
  const platform = (company?.platform.id as KindName | undefined) ?? options.platform ?? 'bundled';
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
    kind: company ? asCompany(kinds[platform], company) : kinds[platform],
  };
};
