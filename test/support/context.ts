import type {Context} from '../../src/domain/context.ts';

/** Returns a deployment with a sign-in through the browser and with everything at one address. */
export const contextAt = (issuer: string): Context => ({
  name: 'acme',
  platform: 'bundled',
  baseDomain: 'acme.localhost',
  layout: 'single',
  controlPlaneUrl: issuer,
  authUrl: issuer,
  issuer,
  signIn: 'browser',
  clientId: 'platform-cli',
});

/** The same deployment with an MCP client, and with an address for each service. */
export const mcpClientContext: Context = {
  ...contextAt('http://idp.acme.localhost:8080'),
  controlPlaneUrl: 'http://api.acme.localhost:8080',
  signIn: 'mcp-client',
  clientId: 'mcp_client',
};
