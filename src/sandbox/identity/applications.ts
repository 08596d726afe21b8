import {randomUUID} from 'node:crypto';

export const authMethods = ['client_secret_basic', 'client_secret_post', 'none'] as const;

export type AuthMethod = (typeof authMethods)[number];

/** An application and its one OAuth client, platform access 2.1. */
export type Application = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** The kind of program, if given. */
  readonly type?: string;
  readonly clientId: string;
  /** Absent for a public client. */
  readonly clientSecret?: string;
  readonly redirectUris: readonly string[];
  readonly grantTypes: readonly string[];
  readonly responseTypes: readonly string[];
  readonly tokenEndpointAuthMethod: AuthMethod;
  /** The `iss` of its access tokens. */
  readonly issuer: string;
  /** Lifetimes in seconds. */
  readonly accessTokenValidity: number;
  readonly idTokenValidity: number;
};

/** The applications of a running sandbox, in order of creation. */
export type Applications = {
  list(): readonly Application[];
  byId(id: string): Application | undefined;
  byName(name: string): Application | undefined;
  byClientId(clientId: string): Application | undefined;
  /** Adds an application, or replaces the one with the same ID. */
  put(application: Application): void;
  delete(id: string): void;
};

export const createApplications = (): Applications => {
  const applications = new Map<string, Application>();
  const find = (test: (application: Application) => boolean) => [...applications.values()].find(test);
  return {
    list: () => [...applications.values()],
    byId: id => applications.get(id),
    byName: name => find(application => application.name === name),
    byClientId: clientId => find(application => application.clientId === clientId),
    put(application) {
      applications.set(application.id, application);
    },
    delete(id) {
      applications.delete(id);
    },
  };
};

/** Returns an application: the given members, and the platform's defaults for the others. */
export const application = (
  fields: Pick<Application, 'name' | 'clientId' | 'grantTypes' | 'tokenEndpointAuthMethod' | 'issuer'> &
    Partial<Application>,
): Application => ({
  id: randomUUID(),
  description: '',
  redirectUris: [],
  responseTypes: fields.grantTypes.includes('authorization_code') ? ['code'] : [],
  accessTokenValidity: 3600,
  idTokenValidity: 3600,
  ...fields,
});

/** The device authorization grant (RFC 8628 3.4). */
export const deviceCodeGrant = 'urn:ietf:params:oauth:grant-type:device_code';

/**
 * The grants that the token endpoint can answer. Applications may be registered with other grants, which have no
 * effect.
 */
export const answeredGrants: readonly string[] = [
  'authorization_code',
  'client_credentials',
  'refresh_token',
  deviceCodeGrant,
];
