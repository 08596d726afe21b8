import {roles12} from '../authorization/roles-1-2.ts';
import type {Release} from './release.ts';
import {release10} from './release-1-0.ts';

/** The newest release: tools that somebody may not call are hidden, some sets of them can be asked for, and the challenge names scopes. */
export const release12: Release = {
  ...release10,
  version: {version: '1.2.3', gitRevision: 'c3f1e9a4', buildTime: '2026-08-20T09:30:00+0000'},
  api: {
    ...release10.api,
    clusterKinds: [...release10.api.clusterKinds, 'clusterresourcetypes', 'clusterprojecttypes'],
  },
  authorization: {
    forbidden: 'You do not have permission to perform this operation',
    hidesTools: true,
    roles: roles12,
    groups: 'by-task',
  },
  mcp: {...release10.mcp, toolSets: true},
  resourceMetadata: {...release10.resourceMetadata, scopes: ['openid', 'profile', 'email']},
};
