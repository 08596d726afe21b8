import {roles015} from '../authorization/roles-0-15.ts';
import type {Release} from './release.ts';
import {release014} from './release-0-14.ts';

/** The first release with authorisation on. Its one role for people may do everything. */
export const release015: Release = {
  ...release014,
  version: {version: '0.15.0', gitRevision: '200952d1', buildTime: '2026-02-17T06:31:40+0000'},
  api: {...release014.api, clusterKinds: ['clusterdataplanes'], cleansPaths: true},
  authorization: {
    forbidden: 'You do not have permission to access this resource',
    hidesTools: false,
    roles: roles015,
    groups: 'engineers',
  },
  mcp: {...release014.mcp, tools: 'by-name', foreignHost: 'served'},
  observerAddress: 'told-to-clusters',
  observerAuthority: 'told-to-clusters',
};
