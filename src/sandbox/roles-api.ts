import type {IncomingMessage, ServerResponse} from 'node:http';
import type {JWTPayload} from 'jose';
import {jsonOf, type Routes, readBody, sendJson, sendNothing} from './http-server.ts';
import type {protectedBy} from './protected-resource.ts';
import type {Access, Bindings} from './roles.ts';

export type RolesApiOptions = {
  readonly bindings: Bindings;
  readonly withToken: ReturnType<typeof protectedBy>;
  readonly accessOf: (claims: JWTPayload) => Access;
  /** The paths of the collections, and the kinds of their objects. */
  readonly roles: {readonly path: string; readonly kind: string};
  readonly roleBindings: {readonly path: string; readonly kind: string};
  readonly apiVersion: string;
};

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const objectAt = (object: Json, key: string): Json => (isObject(object[key]) ? (object[key] as Json) : {});
const textAt = (object: Json, key: string): string => (typeof object[key] === 'string' ? (object[key] as string) : '');

const forbidden = {code: 'FORBIDDEN', error: 'You do not have permission to perform this operation'};
const badRequest = (error: string) => ({code: 'BAD_REQUEST', error});
const conflict = (error: string) => ({code: 'CONFLICT', error});
const notFound = (what: string) => ({code: 'NOT_FOUND', error: `${what} not found`});

/**
 * The REST API for roles and role bindings of the whole platform (from 1.0): each object is created by POST and deleted
 * by DELETE, if the caller's role allows that action on its kind.
 */
export const rolesApiRoutes = ({
  bindings,
  withToken,
  accessOf,
  roles,
  roleBindings,
  apiVersion,
}: RolesApiOptions): Routes => {
  type Answer = (body: Json, response: ServerResponse, name: string) => void;
  const may =
    (action: string, answer: Answer) =>
    (request: IncomingMessage, response: ServerResponse, {name = ''}: Readonly<Record<string, string>>) =>
      withToken(async (_, __, claims) => {
        const body = request.method === 'POST' ? jsonOf(await readBody(request)) : {};
        if (!isObject(body)) return sendJson(response, 400, badRequest('Invalid request body'));
        // Objects of the whole platform are outside every namespace.
        if (!accessOf(claims).may(action, {})) return sendJson(response, 403, forbidden);
        answer(body, response, name);
      })(request, response);
  const created = (kind: string, body: Json) => ({apiVersion, kind, ...body});

  const createRole: Answer = (body, response) => {
    const name = textAt(objectAt(body, 'metadata'), 'name');
    const {actions} = objectAt(body, 'spec');
    if (name === '' || !Array.isArray(actions)) return sendJson(response, 400, badRequest('Invalid request body'));
    if (name in bindings.known().roles) return sendJson(response, 409, conflict('Cluster role already exists'));
    bindings.define(name, actions);
    sendJson(response, 201, created(roles.kind, body));
  };
  const deleteRole: Answer = (_, response, name) => {
    if (!(name in bindings.known().roles)) return sendJson(response, 404, notFound('Cluster role'));
    if (bindings.list().some(({role}) => role === name))
      return sendJson(response, 409, conflict('Cluster role is in use by role bindings'));
    bindings.undefine(name);
    sendNothing(response, 204);
  };
  const createBinding: Answer = (body, response) => {
    const name = textAt(objectAt(body, 'metadata'), 'name');
    const {entitlement, roleMappings} = objectAt(body, 'spec');
    if (name === '' || !isObject(entitlement) || !Array.isArray(roleMappings))
      return sendJson(response, 400, badRequest('Invalid request body'));
    if (bindings.list().some(one => one.name === name))
      return sendJson(response, 409, conflict('Cluster role binding already exists'));
    const named = roleMappings.map(one => textAt(objectAt(isObject(one) ? one : {}, 'roleRef'), 'name'));
    if (named.some(role => !(role in bindings.known().roles)))
      return sendJson(response, 400, badRequest('Referenced role not found'));
    const subject = {claim: textAt(entitlement, 'claim'), value: textAt(entitlement, 'value')};
    for (const role of named) bindings.add({...subject, role, name});
    sendJson(response, 201, created(roleBindings.kind, body));
  };
  const deleteBinding: Answer = (_, response, name) => {
    if (!bindings.remove(name)) return sendJson(response, 404, notFound('Cluster role binding'));
    sendNothing(response, 204);
  };

  const [role, binding] = [roles.kind.toLowerCase(), roleBindings.kind.toLowerCase()];
  const all = () => Object.keys(bindings.known().roles).map(name => ({kind: roles.kind, metadata: {name}}));
  return {
    [roles.path]: {
      // A list leaves out what the caller may not see.
      GET: withToken((_, response, claims) => {
        const items = accessOf(claims).may(`${role}:view`, {}) ? all() : [];
        sendJson(response, 200, {items, pagination: {}});
      }),
      POST: may(`${role}:create`, createRole),
    },
    [`${roles.path}/{name}`]: {DELETE: may(`${role}:delete`, deleteRole)},
    [roleBindings.path]: {POST: may(`${binding}:create`, createBinding)},
    [`${roleBindings.path}/{name}`]: {DELETE: may(`${binding}:delete`, deleteBinding)},
  };
};
