import {randomBytes, randomUUID} from 'node:crypto';
import {isDeepStrictEqual} from 'node:util';
import type {Kind, Person} from '../platform-kinds.ts';
import type {Extra, IdentityRelease} from '../releases/release.ts';
import type {ExternalClient} from '../values.ts';
import {type Application, type Applications, application, deviceCodeGrant} from './applications.ts';

export type InitialApplications = {
  readonly issuer: string;
  readonly platform: Kind['platform'];
  /** The clients that come with the installation. */
  readonly installed: Kind['installed']['open']['clients'];
  readonly release: IdentityRelease;
  readonly extras: readonly Extra[];
  readonly externalClients: readonly ExternalClient[];
  /** What the external clients have registered. */
  readonly redirectUri: string;
  /** The lifetime of all access tokens in seconds. By default that of each client, which is an hour for most. */
  readonly accessTokenLifetime?: number;
};

/** What is there before anybody creates anything: the sample application, the CLI, and what the installation brings. */
export const initialApplications = ({
  issuer,
  platform: {sampleApplication},
  installed,
  release,
  extras,
  externalClients,
  redirectUri,
  accessTokenLifetime: lifetime,
}: InitialApplications): Application[] => [
  ...(release.sampleApplication ? [sampleApplication] : []).map(({name, clientId, redirectUri}) =>
    application({
      description: 'Sample application for trying things out',
      redirectUris: [redirectUri],
      grantTypes: ['authorization_code', 'refresh_token'],
      tokenEndpointAuthMethod: 'none',
      accessTokenValidity: lifetime ?? 3600,
      ...{name, clientId, issuer},
    }),
  ),
  // Platform access 5.4: public, PKCE, and one redirect URI. Where there is no browser, a device code (RFC 8628).
  ...externalClients.map(({name, client_id}) =>
    application({
      description: 'Command-line client',
      type: 'mobile',
      clientId: client_id,
      redirectUris: [redirectUri],
      grantTypes: ['authorization_code', 'refresh_token', ...(extras.includes('device') ? [deviceCodeGrant] : [])],
      tokenEndpointAuthMethod: 'none',
      accessTokenValidity: lifetime ?? 3600,
      ...{name, issuer},
    }),
  ),
  ...installed.map(({clientSecret, administers: _, ...client}) =>
    application({
      issuer,
      ...client,
      accessTokenValidity: lifetime ?? client.accessTokenValidity ?? 3600,
      ...(client.tokenEndpointAuthMethod !== 'none' && {clientSecret: clientSecret ?? newSecret()}),
    }),
  ),
];

/** A client ID as the provider makes one: 128 bits, 22 characters of base64url. */
export const newClientId = () => randomBytes(16).toString('base64url');

/** A client secret as the provider makes one: 256 bits, 43 characters of base64url. */
export const newSecret = () => randomBytes(32).toString('base64url');

/**
 * Registers applications as they are wanted at the moment, and again each time that what it returns is called. What is
 * wanted as it was before is left as people have made it since: only what a fault has changed is put right.
 *
 * @param wanted an application as it is to be registered; undefined when it is not to be
 */
export const registration = (
  given: readonly Application[],
  applications: Applications,
  wanted: (application: Application) => Application | undefined,
): (() => void) => {
  const registered = new Map<string, Application | undefined>();
  return () => {
    for (const application of given) {
      const now = wanted(application);
      if (registered.has(application.id) && isDeepStrictEqual(now, registered.get(application.id))) continue;
      registered.set(application.id, now);
      // Somebody may have registered it meanwhile, as a remedy says, under an ID of its own.
      const present = applications.byClientId(application.clientId);
      if (now) applications.put({...now, id: present?.id ?? now.id});
      else if (present) applications.delete(present.id);
    }
  };
};

export type User = Person & {readonly id: string; readonly familyName: string};

export type SignInFailure = 'unknown-user' | 'wrong-password';

export type Users = {
  readonly admin: User;
  list(): readonly User[];
  byId(id: string): User | undefined;
  /** The person with these credentials, or why there is none. */
  authenticate(username: string, password: string): User | SignInFailure;
};

/** The people of a sandbox, the first of whom administers the identity provider. Their IDs are new each start. */
export const createUsers = ([first, ...others]: readonly [Person, ...Person[]]): Users => {
  const admin = user(first);
  const people = [admin, ...others.map(user)];
  return {
    admin,
    list: () => people,
    byId: id => people.find(person => person.id === id),
    authenticate(username, password) {
      const person = people.find(candidate => candidate.username === username);
      if (!person) return 'unknown-user';
      return person.password === password ? person : 'wrong-password';
    },
  };
};

const user = (person: Person): User => ({...person, id: randomUUID(), familyName: 'User'});
