/** Finding a platform, and the way to it: addresses, kind and layout, whom to trust, proxies and their passwords. */
import {lazyFunction} from '../lazy.ts';

export type {CliClient} from './find-cli-client.ts';
export type {KnownNetwork} from './network.ts';
/**
 * The network settings of a context: `portsWith` gives the ports that take that way, `keepNetwork` saves it with the context,
 * `keepProxyPasswords` and `forgetProxyPasswords` look after its passwords; `networkToKeep` is what of it is worth keeping
 * for some addresses, and `urlsOf` is every address of a deployment.
 */
export {
  forgetProxyPasswords,
  isProxyAddress,
  keepNetwork,
  keepProxyPasswords,
  networkToKeep,
  portsWith,
  proxySaid,
  urlsOf,
} from './network.ts';
export type {Untrusted} from './untrusted.ts';
/** Who vouches for a server that nobody here trusts, and that as lines for a person. */
export {untrustedLines, whoSigned} from './untrusted.ts';

/** Finds the addresses of a deployment, its kind and its layout. */
export const findDeployment = /* @__PURE__ */ lazyFunction(
  async () => (await import('./find-deployment.ts')).findDeployment,
);

/** Reads the authority that a platform's gateway signs with from the cluster. */
export const readAuthority = /* @__PURE__ */ lazyFunction(async () => (await import('./ask-cluster.ts')).readAuthority);

/** Finds the public client with which a person signs in. */
export const findCliClient = /* @__PURE__ */ lazyFunction(
  async () => (await import('./find-cli-client.ts')).findCliClient,
);

/** The kind of platform that answers at an address. */
export const platformAt = /* @__PURE__ */ lazyFunction(async () => (await import('./platform-at.ts')).platformAt);

/** The base domain as it is served: over TLS where plain http is usual and not spoken. */
export const asServed = /* @__PURE__ */ lazyFunction(async () => (await import('./served-over-tls.ts')).asServed);
