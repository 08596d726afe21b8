import {roles016} from '../authorization/roles-0-16.ts';
import {identity023} from './identity-0-23.ts';
import type {Release} from './release.ts';
import {release015} from './release-0-15.ts';

/** Lists of a namespace, in pages, for clients that ask for the newer flavour of the API; the older one for all others. */
export const release016: Release = {
  ...release015,
  version: {version: '0.16.0', gitRevision: '6f2e2192', buildTime: '2026-02-23T09:34:56+0000'},
  identity: identity023,
  api: {...release015.api, shape: 'by-header'},
  authorization: {
    forbidden: 'You do not have permission to access this resource',
    hidesTools: false,
    roles: roles016,
    groups: 'engineers',
  },
  mcp: {
    ...release015.mcp,
    noSession: {status: 400, text: 'Bad Request: GET requires an Mcp-Session-Id header\n'},
  },
  resourceMetadata: {...release015.resourceMetadata, cliDiscovery: '/.well-known/openid-configuration'},
};
