/** What is expected of a provider, flow by flow: what its tests hold it to, and what the documentation shows. */
export type Row = {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  /** Where the program is from. */
  readonly from: 'Debian' | 'PyPI' | 'npm' | 'Maven Central' | 'the Go module proxy';
  /** As who a person is shown that has signed in. */
  readonly account: string;
  /** Whom its access tokens are for: the platform, the client ID, an audience of its own, or nobody. */
  readonly audience: 'platform' | 'client' | 'another' | 'nobody';
  /** What a renewal brings as a refresh token; `none` where a public client gets none at all. */
  readonly refresh: 'another' | 'the same' | 'none';
  /**
   * Whether a person can decline, and is taken at their word; some answer that their consent is missing, and some have only
   * boxes to leave unchecked, and sign the person in without those scopes.
   */
  readonly denial: 'told' | 'told as missing consent' | 'not asked' | 'boxes alone';
  /** What a refresh token means that it does not know: that the sign-in has ended, or probably has. */
  readonly ended: 'ended' | 'probably ended' | 'no refresh token';
  /** When it is found out that it has no such client. */
  readonly wrongClient: 'at once' | 'behind the sign-in' | 'never';
  /** What a wrong secret ends with. */
  readonly wrongSecret: 'refused' | 'never';
  /** The scopes that a service account has to name; undefined where it needs none. */
  readonly serviceScopes?: string;
  /** Set where a service account gets tokens that are no JWTs, whatever is configured, which is said. */
  readonly serviceToken?: 'opaque';
  readonly logout: 'revoked' | 'refused' | 'not offered';
  /** What `provider check` finds out of a client that is as it should be, before a person is signed in. */
  readonly check: Checks;
};

type Checks = Readonly<Record<keyof typeof usualChecks, 'pass' | 'skipped' | 'warning' | 'fail'>>;

/** What most tell before a person is signed in; a row says what is otherwise. */
const usualChecks = {
  discovery: 'pass',
  authorization: 'pass',
  pkce: 'pass',
  'public-client': 'pass',
  'refresh-tokens': 'skipped',
  device: 'skipped',
  'service-account': 'skipped',
  jwt: 'skipped',
} as const;

type Said = Omit<Row, 'check'> & {readonly check?: Partial<Checks>};

const said: readonly Said[] = [
  {
    id: 'keycloak',
    name: 'Keycloak',
    version: '26.4.7',
    from: 'Maven Central',
    account: 'ann@acme.example',
    audience: 'platform',
    refresh: 'another',
    denial: 'told',
    ended: 'ended',
    wrongClient: 'at once',
    wrongSecret: 'refused',
    logout: 'revoked',
    check: {jwt: 'pass'},
  },
  {
    id: 'django-oauth-toolkit',
    name: 'django-oauth-toolkit',
    version: '3.4.1',
    from: 'PyPI',
    account: 'ann@acme.example',
    audience: 'platform',
    refresh: 'another',
    denial: 'told',
    ended: 'ended',
    wrongClient: 'behind the sign-in',
    wrongSecret: 'refused',
    logout: 'not offered',
    check: {authorization: 'skipped'},
  },
  {
    id: 'zitadel-oidc',
    name: 'zitadel/oidc',
    version: '3.51.17',
    from: 'the Go module proxy',
    account: 'ann@acme.example',
    audience: 'client',
    refresh: 'another',
    denial: 'not asked',
    ended: 'ended',
    wrongClient: 'at once',
    wrongSecret: 'refused',
    logout: 'revoked',
    check: {'public-client': 'skipped'},
  },
  {
    id: 'mock-oauth2-server',
    name: 'mock-oauth2-server',
    version: '2.2.1',
    from: 'Maven Central',
    account: 'ann',
    audience: 'another',
    refresh: 'the same',
    denial: 'not asked',
    ended: 'ended',
    wrongClient: 'never',
    wrongSecret: 'never',
    logout: 'revoked',
    check: {authorization: 'skipped', 'public-client': 'skipped'},
  },
  {
    id: 'spring-authorization-server',
    name: 'Spring Authorization Server',
    version: '1.5.2',
    from: 'Maven Central',
    account: 'ann',
    audience: 'platform',
    refresh: 'none',
    denial: 'told',
    ended: 'no refresh token',
    wrongClient: 'at once',
    wrongSecret: 'refused',
    logout: 'refused',
  },
  {
    id: 'canaille',
    name: 'Canaille',
    version: '0.3.6',
    from: 'PyPI',
    account: 'ann@acme.example',
    audience: 'client',
    refresh: 'another',
    denial: 'told',
    ended: 'ended',
    wrongClient: 'behind the sign-in',
    wrongSecret: 'refused',
    serviceToken: 'opaque',
    logout: 'refused',
    check: {authorization: 'skipped'},
  },
  {
    id: 'better-auth',
    name: 'better-auth',
    version: '1.7.25',
    from: 'npm',
    account: 'ann@acme.example',
    audience: 'platform',
    refresh: 'another',
    denial: 'told',
    ended: 'ended',
    wrongClient: 'behind the sign-in',
    wrongSecret: 'refused',
    serviceScopes: 'platform',
    logout: 'revoked',
    check: {authorization: 'skipped', 'public-client': 'skipped'},
  },
  {
    id: 'glewlwyd',
    name: 'Glewlwyd',
    version: '2.7.5',
    from: 'Debian',
    account: 'ann@acme.example',
    audience: 'platform',
    refresh: 'another',
    denial: 'boxes alone',
    ended: 'probably ended',
    wrongClient: 'at once',
    wrongSecret: 'refused',
    serviceScopes: 'platform',
    logout: 'not offered',
    check: {'public-client': 'skipped', 'service-account': 'warning'},
  },
  {
    id: 'lemonldap-ng',
    name: 'LemonLDAP::NG',
    version: '2.16.1',
    from: 'Debian',
    account: 'dwho@badwolf.org',
    audience: 'platform',
    refresh: 'the same',
    denial: 'told as missing consent',
    ended: 'probably ended',
    wrongClient: 'behind the sign-in',
    wrongSecret: 'refused',
    serviceScopes: 'openid',
    logout: 'not offered',
    check: {authorization: 'skipped'},
  },
];

export const rows: readonly Row[] = said.map(({check, ...row}) => ({...row, check: {...usualChecks, ...check}}));

/** The row of a provider. */
export const rowOf = (id: string): Row => {
  const row = rows.find(one => one.id === id);
  if (!row) throw new Error(`There is no row ${id}.`);
  return row;
};
