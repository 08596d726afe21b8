import type {SandboxRelease} from './release.ts';
import {identity021} from './thunder.ts';

/** The documented release. Everyone with a token may do everything. */
export const release014: SandboxRelease = {
  version: {version: '0.14.0', gitRevision: '5b1d0f6e', buildTime: '2026-02-07T07:45:00+0000'},
  identity: identity021,
  api: {shape: 'by-project', clusterKinds: [], cleansPaths: false},
  mcp: {
    tools: 'by-uid',
    hasPages: false,
    toolSets: false,
    foreignHost: 'misdirected',
    noSession: {status: 405, text: 'GET requires an active session\n'},
  },
  observerAddress: 'untold',
  observerAuthority: 'told',
  resourceMetadata: {clients: false, scopes: [], cliDiscovery: '/api/v1/.well-known/openid-configuration'},
};
