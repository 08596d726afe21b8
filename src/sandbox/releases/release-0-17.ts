import {roles017} from '../authorization/roles-0-17.ts';
import {identity024} from './identity-0-24.ts';
import type {Release} from './release.ts';
import {release016} from './release-0-16.ts';

/** The first release with one flavour of the API alone, and with clients in the resource metadata. */
export const release017: Release = {
  ...release016,
  version: {version: '0.17.0', gitRevision: '426d934b', buildTime: '2026-03-04T17:43:57+0000'},
  identity: identity024,
  api: {...release016.api, shape: 'by-namespace'},
  authorization: {
    forbidden: 'You do not have permission to access this resource',
    hidesTools: false,
    roles: roles017,
    groups: 'engineers',
  },
  resourceMetadata: {clients: true, scopes: []},
  observerAddress: 'told',
  observerAuthority: 'told',
};
