import {randomBytes, randomUUID} from 'node:crypto';
import {isDeepStrictEqual} from 'node:util';
import type {Person, PlatformKind} from '../platform-kinds.ts';
import type {Extra, IdentityRelease} from '../releases/release.ts';
import type {ChartClient} from '../values.ts';
import {type Application, type Applications, application, deviceCodeGrant} from './applications.ts';

export type InitialApplications = {
  readonly issuer: string;
  readonly platform: PlatformKind['platform'];
  /** The clients that come with the installation. */
  readonly installed: PlatformKind['installed']['open']['clients'];
  readonly release: IdentityRelease;
  readonly extras: readonly Extra[];
  readonly externalClients: readonly ChartClient[];
  /** The redirect URI that the external clients have registered. */
  readonly redirectUri: string;
  /** The lifetime of all access tokens, in seconds. By default each client has its own, which is an hour for most. */
  readonly accessTokenLifetime?: number;
};

/** Returns the applications that exist at the start: the sample application, the CLI, and those of the installation. */
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
  // Platform access 5.4: public, PKCE, and one redirect URI. Without a browser, a device code (RFC 8628).
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

/** Returns a client ID in the provider's form: 128 bits, 22 characters of base64url. */
export const newClientId = () => randomBytes(16).toString('base64url');

/** Returns a client secret in the provider's form: 256 bits, 43 characters of base64url. */
export const newSecret = () => randomBytes(32).toString('base64url');

/**
 * Returns a function that registers the applications as they are wanted at the moment of the call. An application whose
 * wanted form has not changed since the previous call stays as people have made it meanwhile: only what a fault changed
 * is corrected.
 *
 * @param wanted returns an application in the form to register; undefined if it should not be registered
 */
export const registration = (
  initial: readonly Application[],
  applications: Applications,
  wanted: (application: Application) => Application | undefined,
): (() => void) => {
  const registered = new Map<string, Application | undefined>();
  return () => {
    for (const application of initial) {
      const now = wanted(application);
      if (registered.has(application.id) && isDeepStrictEqual(now, registered.get(application.id))) continue;
      registered.set(application.id, now);
      // A person may have registered the client meanwhile, as a remedy suggests; the application then has another ID.
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
  /** Returns the person with these credentials, or why the sign-in failed. */
  authenticate(username: string, password: string): User | SignInFailure;
};

/**
 * Creates the people of a sandbox. The first one administers the identity provider. Their IDs are new at each start.
 */
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
