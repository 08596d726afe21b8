import type {SandboxRelease} from './release.ts';
import {release12} from './release-1-2.ts';
import {identity10} from './thunder.ts';

/** The development line: the control plane of 1.2 with the successor of its identity provider. */
export const releaseNext: SandboxRelease = {
  ...release12,
  version: {version: '1.3.0', gitRevision: '91ab27d0', buildTime: '2026-11-02T10:00:00+0000'},
  identity: identity10,
};
