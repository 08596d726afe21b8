import {ownClientId} from '../../src/command-line/wizard/own-client-id.ts';
import {type ReleaseName, releases} from '../../src/sandbox/releases/releases.ts';
import type {Sandbox, SandboxOptions} from '../../src/sandbox/sandbox.ts';

/** The release of sandboxes, unless a test names one. `npm run suite releases` runs the tests on each release. */
export const releaseUnderTest = (process.env.TEST_RELEASE ?? '0.14') as ReleaseName;

/** True if accounts need a role on this release. */
export const hasRoles = releaseUnderTest !== '0.14';

/** True if the observer's address reveals the layout. */
export const tellsLayouts = releaseUnderTest === '0.14';

/** True if the release's identity provider can revoke a token. */
export const revokes = releaseUnderTest === 'next';

/** True if the release's identity provider has a page that ends the session in the browser. */
export const endsSessions = releaseUnderTest === 'next';

/** True if a client may ask for a scope only of a resource that is registered there. */
export const scopesNeedResources = releases[releaseUnderTest].identity.resources.neededForScope;

/** True if an administrator can have the program create an MCP client, by the documentation's recipe. */
export const createsClients = releaseUnderTest !== 'next';

/** The version that `/version` reports on this release. */
export const versionUnderTest = releases[releaseUnderTest].version.version;

/** Returns a sandbox's options, with the release under test unless they name one. */
export const asUnderTest = <Options extends Partial<SandboxOptions>>(options: Options): Options => ({
  release: releaseUnderTest,
  ...options,
});

/**
 * Gives every account a role on a sandbox, if the test names no release: such a test is about what happens after the
 * administrator has done that. Clients that a test may create have a role before they exist.
 */
export const giveRoles = (
  {ready, bind}: Pick<Sandbox, 'ready' | 'bind'>,
  options: Partial<SandboxOptions> = {},
): void => {
  if (options.release !== undefined || !ready.authorization) return;
  const subjects = [...ready.clients.map(({subject}) => subject), 'mcp_client', ownClientId({})];
  const groups = new Set(ready.people.flatMap(one => one.groups));
  for (const value of subjects) bind({claim: 'sub', value});
  for (const value of groups) bind({claim: 'groups', value});
};
