/** The expected behaviour of a provider, flow by flow. The tests check it, and the documentation shows it. */
export type Row = {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  /** The source of the program. */
  readonly from: 'Debian' | 'PyPI' | 'npm' | 'Maven Central' | 'the Go module proxy';
  /** The displayed name of a signed-in person. */
  readonly account: string;
  /** The audience of its access tokens: the platform, the client ID, an audience of its own, or none. */
  readonly audience: 'platform' | 'client' | 'another' | 'nobody';
  /** The refresh token that a renewal returns. `none` if a public client gets no refresh token at all. */
  readonly refresh: 'another' | 'the same' | 'none';
  /**
   * How a person can refuse consent. Some providers answer that consent is missing. Some only have boxes to leave
   * unchecked, and sign the person in without those scopes.
   */
  readonly denial: 'told' | 'told as missing consent' | 'not asked' | 'boxes alone';
  /** How the program reads the refusal of an unknown refresh token: the sign-in has ended, or probably has. */
  readonly ended: 'ended' | 'probably ended' | 'no refresh token';
  /** When the program learns that the provider has no such client. */
  readonly wrongClient: 'at once' | 'behind the sign-in' | 'never';
  /** The result of a wrong secret. */
  readonly wrongSecret: 'refused' | 'never';
  /** The scopes that a service account must name. Undefined if it needs none. */
  readonly serviceScopes?: string;
  /** Set if service accounts get tokens that are not JWTs, whatever is configured. The program says so. */
  readonly serviceToken?: 'opaque';
  readonly logout: 'revoked' | 'refused' | 'not offered';
  /** The findings of `provider check` about a correct client, before a person signs in. */
  readonly check: Checks;
};

type Checks = Readonly<Record<keyof typeof usualChecks, 'pass' | 'skipped' | 'warning' | 'fail'>>;

/** The findings for most providers. A row lists only differences. */
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
    id: 'oidc-provider',
    name: 'oidc-provider',
    version: '9.13.3',
    from: 'npm',
    account: 'ann@acme.example',
    audience: 'platform',
    refresh: 'another',
    denial: 'told',
    ended: 'ended',
    wrongClient: 'at once',
    wrongSecret: 'refused',
    logout: 'revoked',
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

/** Returns the row of a provider. */
export const rowOf = (id: string): Row => {
  const row = rows.find(one => one.id === id);
  if (!row) throw new Error(`There is no row ${id}.`);
  return row;
};
