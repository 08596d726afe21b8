import type {SandboxRelease} from './release.ts';
import {release014} from './release-0-14.ts';
import {release015} from './release-0-15.ts';
import {release016} from './release-0-16.ts';
import {release017} from './release-0-17.ts';
import {release10} from './release-1-0.ts';
import {release12} from './release-1-2.ts';
import {releaseNext} from './release-next.ts';

/** The releases that a sandbox can simulate, oldest first. */
export const releases = {
  '0.14': release014,
  '0.15': release015,
  '0.16': release016,
  '0.17': release017,
  '1.0': release10,
  '1.2': release12,
  next: releaseNext,
} as const satisfies Record<string, SandboxRelease>;

export type ReleaseName = keyof typeof releases;

/** The release that the platform's own documentation describes. */
export const documentedRelease: ReleaseName = '0.14';
