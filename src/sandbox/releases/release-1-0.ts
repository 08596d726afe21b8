import {roles10} from '../authorization/roles-1-0.ts';
import {identity028} from './identity-0-28.ts';
import type {Release} from './release.ts';
import {release017} from './release-0-17.ts';

/** The first release with roles by what people do. */
export const release10: Release = {
  ...release017,
  version: {version: '1.0.0', gitRevision: '8d40c7e2', buildTime: '2026-03-22T08:10:00+0000'},
  identity: identity028,
  mcp: {...release017.mcp, foreignHost: 'forbidden'},
  api: {...release017.api, clusterKinds: [...release017.api.clusterKinds, 'clusterauthzroles']},
  authorization: {
    forbidden: 'You do not have permission to access this resource',
    hidesTools: false,
    roles: roles10,
    groups: 'by-task',
  },
};
