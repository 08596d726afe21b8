import {identity028} from './identity-0-28.ts';
import type {Release} from './release.ts';

/** The first release with authorisation on, and clients in the resource metadata. */
export const release10: Release = {
  version: {version: '1.0.0', gitRevision: '8d40c7e2', buildTime: '2026-03-22T08:10:00+0000'},
  identity: identity028,
  api: {shape: 'by-namespace', cleansPaths: true},
  authorization: {forbidden: 'You do not have permission to access this resource', hidesTools: false},
  mcp: {tools: 'by-name', toolSets: false, foreignHost: 'forbidden'},
  resourceMetadata: {clients: true, scopes: [], cliDiscovery: false},
};
