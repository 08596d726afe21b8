/**
 * The faults that a sandbox can be started with, alone or several at once, each with a description. Their order is the
 * order in which they stand in front of a service: a request meets the first one first.
 */
export const faults = {
  'idp-down': 'The identity provider cuts every connection without an answer.',
  'control-plane-503': 'The control plane answers everything with 503, /health too.',
  'observer-missing': 'Nothing listens at the port of the observer.',
  'expired-certificate': 'Everything is served over https, with a certificate that has expired.',
  'self-signed': 'Everything is served over https, with a self-signed certificate.',
  'clock-ahead': 'The servers’ clocks are 90 minutes behind, so this machine’s looks ahead.',
  'slow-idp': 'The identity provider takes 30 s to answer all but discovery and health.',
  'idp-html': 'A proxy’s sign-in page answers instead of the identity provider.',
  'idp-busy': 'The token endpoint is too busy: 429, with a Retry-After of 20 seconds.',
  'lost-answer': 'The token endpoint does its work, then hangs up without an answer.',
  'wrong-issuer': 'The identity provider’s metadata names another issuer.',
  'no-pkce': 'The identity provider’s metadata offers PKCE with plain only, and no S256.',
  'unknown-client': 'The CLI’s client is not registered at the identity provider.',
  'missing-redirect': 'The CLI’s client is registered with another redirect URL.',
  'no-refresh': 'The CLI’s client cannot refresh: it has no refresh_token grant.',
  'refresh-refused': 'Refresh tokens no longer work; the CLI’s tokens last 35 s, or --token-life.',
  'opaque-tokens': 'Access tokens are not JWTs, and the servers accept only JWTs.',
  'wrong-audience': 'Access tokens have an audience that the servers do not accept.',
  'old-control-plane': 'The control plane reports release 0.12, which is older than the CLI.',
  'mcp-busy': 'The MCP servers are overloaded: 503 with a Retry-After of 3 seconds.',
  'mcp-forgets': 'The MCP servers drop each session after its fourth request, with 404.',
  'mcp-breaks-off': 'The MCP servers carry out a tool call, then hang up without an answer.',
  'mcp-html': 'The MCP servers’ paths answer with an HTML page.',
  'mcp-401': 'The MCP servers refuse valid tokens as invalid, with 401.',
  'mcp-403': 'The MCP servers recognise who asks, but deny everybody with 403.',
  'missing-scope': 'The MCP servers deny tokens without the scope platform:mcp, with 403.',
  'port-taken': 'The sandbox holds the port that the browser returns to.',
} as const;

export type FaultName = keyof typeof faults;

/**
 * What remains of a fault after the operators have mended it, if anything. Operators can renew a certificate, but only
 * the person can decide to trust it.
 */
const leftovers: {readonly [F in FaultName]?: FaultName} = {
  'expired-certificate': 'self-signed',
  'self-signed': 'self-signed',
};

/** Returns these faults, each once, in the order of `faults`. */
export const inOrder = (names: readonly FaultName[]): readonly FaultName[] =>
  (Object.keys(faults) as FaultName[]).filter(name => names.includes(name));

/** Returns the faults that remain of `present` after the operators have mended `mended`, in the order of `faults`. */
export const remainingFaults = (present: readonly FaultName[], mended: readonly FaultName[]): readonly FaultName[] =>
  inOrder(present.flatMap(name => (mended.includes(name) ? (leftovers[name] ?? []) : name)));

/** Whether the operators can do anything about a fault. */
export const isFixable = (name: FaultName): boolean => leftovers[name] !== name;
