import {ownClientId} from '../../src/command-line/wizard/own-client-id.ts';
import {type ReleaseName, releases} from '../../src/sandbox/releases/releases.ts';
import type {Sandbox, SandboxOptions} from '../../src/sandbox/sandbox.ts';

/** The release that sandboxes answer as where a test names none; `npm run suite releases` runs the tests on each. */
export const releaseUnderTest = (process.env.TEST_RELEASE ?? '0.14') as ReleaseName;

/** Whether accounts need a role on it. */
export const hasRoles = releaseUnderTest !== '0.14';

/** Whether the observer's address tells the layouts apart. */
export const tellsLayouts = releaseUnderTest === '0.14';

/** Whether its identity provider can revoke a token. */
export const revokes = releaseUnderTest === 'next';

/** Whether its identity provider has a page that ends the session in the browser. */
export const endsSessions = releaseUnderTest === 'next';

/** Whether a client may ask for a scope only of a resource that is registered there. */
export const scopesNeedResources = releases[releaseUnderTest].identity.resources.neededForScope;

/** Whether an administrator can have it create an MCP client, as the documentation's recipe does. */
export const createsClients = releaseUnderTest !== 'next';

/** What `/version` says on it. */
export const versionUnderTest = releases[releaseUnderTest].version.version;

/** A sandbox's options, with the release under test where they name none. */
export const asUnderTest = <Options extends Partial<SandboxOptions>>(options: Options): Options => ({
  release: releaseUnderTest,
  ...options,
});

/**
 * Gives everybody a role on a sandbox whose test names no release: what such a test is about happens after the
 * platform's administrator has done that. The clients that a test may create have one before they exist.
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
