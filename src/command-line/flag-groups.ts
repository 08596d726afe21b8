import type {FlagName} from './flags.ts';

/** What every command takes. */
export const everywhere: readonly FlagName[] = [
  'context',
  'yes',
  'json',
  'quiet',
  'no-color',
  'debug',
  'setup-home',
  'help',
];
/** How the platform is reached, for every command that calls it. */
export const network: readonly FlagName[] = ['allow-http', 'proxy', 'ca-file', 'client-cert', 'client-key'];
/** What tokens are to be for. */
export const tokens: readonly FlagName[] = ['scopes', 'audience', 'resource'];
/** What the wizard takes. */
export const wizard: readonly FlagName[] = [
  ...(['base-domain', 'layout', 'control-plane-url', 'observer-url', 'auth-url', 'issuer', 'platform'] as const),
  ...(['no-browser', 'device', 'redirect-uri', 'assume-pkce'] as const),
  ...tokens,
  ...(['sign-in', 'client-id', 'client-secret-stdin', 'client-secret'] as const),
  ...(['admin-username', 'admin-password-stdin', 'application-id', 'reset-secret'] as const),
  ...(['assistants', 'scope', 'method', 'tools', 'oauth-client-id', 'shape', 'servers'] as const),
  ...(['replace', 'in-git', 'project', 'role'] as const),
  'accessible',
  ...network,
];
