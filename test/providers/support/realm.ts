import {randomUUID} from 'node:crypto';
import {onTestFinished} from 'vitest';
import {administrationOf, createRealm, keycloak, type Representation, removeRealm} from './admin.ts';

export const ann = {username: 'ann', password: 'the-password-of-ann'} as const;

/** A person who may not have tokens that outlast a session. */
export const ben = {username: 'ben', password: 'the-password-of-ben'} as const;

/** A person whose password was set by an administrator. */
export const newcomer = {username: 'newcomer', password: 'the-first-password'} as const;

export type Person = {readonly username: string; readonly password: string};

/** A client with which people sign in, as in a realm file. Absent members have Keycloak's defaults. */
export const publicClient = (clientId: string, redirectUri: string, more: Representation = {}): Representation => ({
  clientId,
  publicClient: true,
  standardFlowEnabled: true,
  directAccessGrantsEnabled: false,
  redirectUris: [redirectUri],
  ...more,
});

/** A client that signs in by itself. */
export const serviceAccount = (clientId: string, secret: string, more: Representation = {}): Representation => ({
  clientId,
  publicClient: false,
  secret,
  serviceAccountsEnabled: true,
  standardFlowEnabled: false,
  ...more,
});

/** The mapper that adds the platform to the access tokens of a client. */
export const audienceMapper = (audience: string): Representation => ({
  name: 'platform',
  protocol: 'openid-connect',
  protocolMapper: 'oidc-audience-mapper',
  config: {'included.custom.audience': audience, 'access.token.claim': 'true'},
});

const person = ({username, password}: Person, more: Representation = {}): Representation => ({
  username,
  enabled: true,
  email: `${username}@acme.example`,
  emailVerified: true,
  firstName: username,
  lastName: 'Example',
  credentials: [{type: 'password', value: password, temporary: false}],
  ...more,
});

/** Creates a realm with three people, and returns a function that removes it. */
export const openRealm = async (clients: readonly Representation[], more: Representation = {}) => {
  const realm = `test-${randomUUID()}`;
  const everybody = [
    person(ann, {realmRoles: ['offline_access']}),
    person(ben),
    person(newcomer, {requiredActions: ['UPDATE_PASSWORD']}),
  ];
  await createRealm({realm, enabled: true, clients, users: everybody, ...more});
  const issuer = `${keycloak.url}/realms/${realm}`;
  return {realm, issuer, administration: administrationOf(realm), remove: () => removeRealm(realm)};
};

export type Realm = Awaited<ReturnType<typeof openRealm>>;

/** Creates the same for one test. */
export const realmForTest = async (...args: Parameters<typeof openRealm>): Promise<Realm> => {
  const realm = await openRealm(...args);
  onTestFinished(realm.remove);
  return realm;
};
