import type {FlagName} from './flags.ts';

/**
 * What every command may be given, so that a script can pass the same to all of them. Help lists each where it changes
 * something.
 */
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
/** Of a command with a result that programs read. */
export const common: readonly FlagName[] = ['json', 'debug', 'setup-home', 'help'];
/** Of one that is about a saved deployment besides. */
export const saved: readonly FlagName[] = ['context', ...common];
/** Of one that asks and shows its progress in a terminal, and goes on without one. */
export const asking: readonly FlagName[] = ['yes', 'json', 'quiet', 'no-color', 'debug', 'setup-home', 'help'];
/** How the platform is reached, for every command that calls it. */
export const network: readonly FlagName[] = ['allow-http', 'proxy', 'ca-file', 'client-cert', 'client-key'];
/** What tokens are to be for. */
export const tokens: readonly FlagName[] = ['scopes', 'audience', 'resource', 'acr-values', 'max-age'];
/** What the wizard takes. */
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
