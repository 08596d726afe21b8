import type {Context} from '../../src/ports/storage.ts';

/** A deployment at which a person signs in through the browser, with everything at one address. */
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
