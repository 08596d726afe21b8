import {inject} from 'vitest';

export const keycloak = inject('keycloak');

/** The reason for skipping all tests. Undefined if a Keycloak runs. */
export const missing: string | undefined = keycloak.url === '' ? 'there is no Keycloak, as was said above' : undefined;

/** A resource of the Admin REST API, in its own format. */
export type Representation = {readonly [key: string]: unknown};

type Call = {readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'; readonly body?: unknown};

const accessToken = async (): Promise<string> => {
  const body = new URLSearchParams({
    ...{grant_type: 'password', client_id: 'admin-cli'},
    ...{username: keycloak.username, password: keycloak.password},
  });
  const answer = await fetch(`${keycloak.url}/realms/master/protocol/openid-connect/token`, {method: 'POST', body});
  const {access_token: token} = (await answer.json()) as {access_token: string};
  return token;
};

/**
 * Calls the Admin REST API as an administrator. `path` is below `/admin/realms`. Returns the list or resource in the
 * answer, if any.
 */
const administer = async <Answer>(path: string, {method, body}: Call): Promise<Answer> => {
  const answer = await fetch(`${keycloak.url}/admin/realms${path}`, {
    method,
    headers: {Authorization: `Bearer ${await accessToken()}`, 'Content-Type': 'application/json'},
    ...(body === undefined ? {} : {body: JSON.stringify(body)}),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as Answer;
};

/** Returns functions that administer one realm. */
export const administrationOf = (realm: string) => {
  const get = <Answer>(path: string) => administer<Answer>(`/${realm}${path}`, {method: 'GET'});
  const only = async (path: string): Promise<Representation> => {
    const [found] = await get<readonly Representation[]>(path);
    if (!found) throw new Error(`Nothing is at ${path} of ${realm}.`);
    return found;
  };
  const client = (clientId: string) => only(`/clients?clientId=${encodeURIComponent(clientId)}`);
  const user = (username: string) => only(`/users?exact=true&username=${encodeURIComponent(username)}`);
  return {
    get,
    client,
    user,
    add: (path: string, body: Representation | readonly Representation[]) =>
      administer<void>(`/${realm}${path}`, {method: 'POST', body}),
    put: (path: string, body?: Representation) =>
      administer<void>(`/${realm}${path}`, {method: 'PUT', ...(body === undefined ? {} : {body})}),
    remove: (path: string) => administer<void>(`/${realm}${path}`, {method: 'DELETE'}),
    /** Changes some settings of a client. Its other attributes stay. */
    changeClient: async (clientId: string, {attributes, ...changes}: Representation) => {
      const before = await client(clientId);
      const all = {...(before.attributes as object), ...(attributes as object | undefined)};
      const body = {...before, ...changes, attributes: all};
      await administer<void>(`/${realm}/clients/${before.id}`, {method: 'PUT', body});
    },
    removeClient: async (clientId: string) =>
      administer<void>(`/${realm}/clients/${(await client(clientId)).id}`, {method: 'DELETE'}),
    /** Ends every session of a person, as “Sign out” in the console does. */
    endSessions: async (username: string) =>
      administer<void>(`/${realm}/users/${(await user(username)).id}/logout`, {method: 'POST'}),
    changeUser: async (username: string, changes: Representation) => {
      const before = await user(username);
      await administer<void>(`/${realm}/users/${before.id}`, {method: 'PUT', body: {...before, ...changes}});
    },
  };
};

export type Administration = ReturnType<typeof administrationOf>;

export const createRealm = (body: Representation): Promise<void> => administer<void>('', {method: 'POST', body});

export const removeRealm = (realm: string): Promise<void> => administer<void>(`/${realm}`, {method: 'DELETE'});
