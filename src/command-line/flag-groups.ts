import type {FlagName} from './flags.ts';

/** The flags that every command accepts, so that a script can pass the same to all. Help lists those with an effect. */
export const tolerated: readonly FlagName[] = [
  'context',
  'yes',
  'json',
  'quiet',
  'no-color',
  'debug',
  'setup-home',
  'help',
];
/** For commands with a result that programs read. */
export const common: readonly FlagName[] = ['json', 'debug', 'setup-home', 'help'];
/** For commands that are also about a saved deployment. */
export const saved: readonly FlagName[] = ['context', ...common];
/** For commands that ask and show progress in a terminal, and also run without one. */
export const asking: readonly FlagName[] = ['yes', 'json', 'quiet', 'no-color', 'debug', 'setup-home', 'help'];
/** How the platform is reached, for every command that calls it. */
export const network: readonly FlagName[] = ['allow-http', 'proxy', 'ca-file', 'client-cert', 'client-key'];
/** The flags that decide what tokens are requested for. */
export const tokens: readonly FlagName[] = ['scopes', 'audience', 'resource', 'acr-values', 'max-age'];
/** The flags of the wizard. */
export const wizard: readonly FlagName[] = [
  ...(['base-domain', 'layout', 'control-plane-url', 'observer-url', 'auth-url', 'issuer', 'platform'] as const),
  ...(['no-browser', 'device', 'redirect-uri', 'assume-pkce'] as const),
  ...tokens,
  ...(['sign-in', 'client-id', 'client-secret-stdin', 'client-secret'] as const),
  ...(['admin-username', 'admin-password-stdin', 'application-id', 'reset-secret'] as const),
  ...(['assistants', 'scope', 'method', 'tools', 'oauth-client-id', 'shape', 'servers'] as const),
  ...(['replace', 'overwrite-read-only', 'in-git', 'project', 'role'] as const),
  ...(['accessible', 'plain'] as const),
  ...network,
];
