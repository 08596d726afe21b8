import {randomUUID} from 'node:crypto';
import type {IncomingMessage, ServerResponse} from 'node:http';
import {z} from 'zod';
import {jsonOf, type Routes, readBody, sendJson, sendNothing} from '../http-server.ts';
import type {ApplicationRules, IdentityRelease} from '../releases/release.ts';
import {type Application, type Applications, application, authMethods} from './applications.ts';
import {newClientId, newSecret} from './initial-applications.ts';

/** The body of a request that creates or replaces an application (platform access 2.1). Other members are ignored. */
export const applicationRequest = z.object({
  name: z.string().default(''),
  description: z.string().default(''),
  type: z.string().optional(),
  inbound_auth_config: z
    .array(
      z.object({
        type: z.literal('oauth2'),
        config: z.object({
          client_id: z.string().optional(),
          client_secret: z.string().optional(),
          redirect_uris: z.array(z.string()).default([]),
          grant_types: z.array(z.string()).default([]),
          response_types: z.array(z.string()).optional(),
          token_endpoint_auth_method: z.string().default('client_secret_basic'),
          token: z
            .object({
              issuer: z.string().optional(),
              access_token: z.object({validity_period: z.int().positive().optional()}).optional(),
              id_token: z.object({validity_period: z.int().positive().optional()}).optional(),
            })
            .optional(),
        }),
      }),
    )
    .length(1),
});

/** Returns an application as shown in a list. */
export const applicationSummary = (application: Application) => ({
  id: application.id,
  name: application.name,
  ...(application.description && {description: application.description}),
  client_id: application.clientId,
  auth_flow_id: authFlowId,
  registration_flow_id: registrationFlowId,
  is_registration_flow_enabled: false,
});

/**
 * Returns an application as shown by itself. Its secret is shown only in the answer to the request that set it.
 *
 * @param issuer the provider's issuer, if applications show the issuer of their tokens
 */
export const applicationBody = (application: Application, issuer: string | undefined, secret: string | undefined) => ({
  ...applicationSummary(application),
  assertion: {...(issuer !== undefined && {issuer}), validity_period: 3600},
  certificate: {type: 'NONE'},
  inbound_auth_config: [
    {
      type: 'oauth2',
      config: {
        client_id: application.clientId,
        ...(secret !== undefined && {client_secret: secret}),
        redirect_uris: application.redirectUris,
        grant_types: application.grantTypes,
        response_types: application.responseTypes,
        token_endpoint_auth_method: application.tokenEndpointAuthMethod,
        pkce_required: application.tokenEndpointAuthMethod === 'none',
        public_client: application.tokenEndpointAuthMethod === 'none',
        token: {
          ...(issuer !== undefined && {issuer: application.issuer}),
          access_token: {validity_period: application.accessTokenValidity},
          id_token: {validity_period: application.idTokenValidity},
        },
      },
    },
  ],
});

// There is only one way to sign in, so every application has the same flows.
const authFlowId = randomUUID();
const registrationFlowId = randomUUID();

/** An error of the provider's own interfaces. */
export type ProviderError = {readonly code: string; readonly message: string; readonly description: string};

/**
 * Returns an error in the form of a release: with texts, or with objects from which a client makes translated texts.
 */
export const errorBody = (
  {code, message, description}: ProviderError,
  {translatedErrors}: {translatedErrors: boolean},
) =>
  translatedErrors
    ? {code, message: translated(code, 'message', message), description: translated(code, 'description', description)}
    : {code, message, description};

const translated = (code: string, member: string, defaultValue: string) => ({
  key: `error.${code.toLowerCase()}.${member}`,
  defaultValue,
});

const problem = (code: string, message: string, description: string): ProviderError => ({code, message, description});

/** Every error of a request to `/applications`, in the provider's words. */
export const applicationProblems = {
  notFound: problem('APP-1001', 'Application not found', 'The requested application could not be found'),
  name: problem('APP-1004', 'Invalid application name', 'The provided application name is invalid or empty'),
  grantType: problem('APP-1010', 'Invalid grant type', 'One or more provided grant types are invalid'),
  authMethod: problem(
    'APP-1013',
    'Invalid token endpoint authentication method',
    'The provided token endpoint authentication method is invalid',
  ),
  format: problem('APP-1018', 'Invalid request format', 'The request body is malformed or contains invalid data'),
  duplicateName: problem('APP-1020', 'Application already exists', 'An application with the same name already exists'),
  duplicateClientId: problem(
    'APP-1021',
    'Application with client ID already exists',
    'An application with the same client ID already exists',
  ),
  publicService: problem(
    'APP-1024',
    'Invalid OAuth configuration',
    "client_credentials grant type cannot use 'none' authentication method",
  ),
  noRedirectUri: problem(
    'APP-1024',
    'Invalid OAuth configuration',
    'authorization_code grant type requires redirect URIs',
  ),
};

export type ApplicationProblem = ProviderError;

export type ApplicationDraft = {
  readonly application: Application;
  /** The secret that this request set, shown only once. */
  readonly secret: string | undefined;
};

export type DraftContext = {
  readonly applications: Applications;
  readonly issuer: string;
  /** Whether the body may name the issuer of the application's tokens. */
  readonly ownIssuer: boolean;
  readonly existing?: Application;
};

/**
 * Turns a request body into an application. If it replaces `existing`, the application keeps its ID, and keeps its
 * client ID and secret unless the body sets others; a public client has no secret. For an invalid body, returns the
 * provider's first complaint.
 */
export const draftApplication = (
  body: unknown,
  {applications, issuer, ownIssuer, existing}: DraftContext,
): ApplicationDraft | ApplicationProblem => {
  const parsed = applicationRequest.safeParse(body);
  if (!parsed.success) return applicationProblems.format;
  const {name, description, type, inbound_auth_config} = parsed.data;
  const [inbound] = inbound_auth_config;
  if (!inbound) return applicationProblems.format;
  const {config} = inbound;
  const taken = (other: Application | undefined) => other !== undefined && other.id !== existing?.id;

  if (!name.trim()) return applicationProblems.name;
  if (taken(applications.byName(name))) return applicationProblems.duplicateName;
  if (config.grant_types.length === 0 || !config.grant_types.every(grant => grants.has(grant)))
    return applicationProblems.grantType;
  const method = authMethods.find(known => known === config.token_endpoint_auth_method);
  if (!method) return applicationProblems.authMethod;
  if (method === 'none' && config.grant_types.includes('client_credentials')) return applicationProblems.publicService;
  if (config.grant_types.includes('authorization_code') && config.redirect_uris.length === 0) {
    return applicationProblems.noRedirectUri;
  }
  if (!config.redirect_uris.every(isRedirectUri)) return applicationProblems.format;
  const clientId = config.client_id || existing?.clientId || newClientId();
  if (taken(applications.byClientId(clientId))) return applicationProblems.duplicateClientId;

  const secret =
    method === 'none' ? undefined : config.client_secret || (existing?.clientSecret ? undefined : newSecret());
  const clientSecret = method === 'none' ? undefined : (secret ?? existing?.clientSecret);
  return {
    secret,
    application: application({
      ...(existing && {id: existing.id}),
      name,
      description,
      ...(type !== undefined && {type}),
      clientId,
      ...(clientSecret !== undefined && {clientSecret}),
      redirectUris: config.redirect_uris,
      grantTypes: config.grant_types,
      tokenEndpointAuthMethod: method,
      issuer: (ownIssuer && config.token?.issuer) || issuer,
      accessTokenValidity: config.token?.access_token?.validity_period ?? 3600,
      idTokenValidity: config.token?.id_token?.validity_period ?? 3600,
    }),
  };
};

const grants = new Set([
  'authorization_code',
  'client_credentials',
  'refresh_token',
  'urn:ietf:params:oauth:grant-type:token-exchange',
]);

/** Whether a text is an absolute URI without a fragment (RFC 6749 3.1.2). */
const isRedirectUri = (text: string) => URL.canParse(text) && !text.includes('#');

type Spelling = ApplicationRules['spelling'];

/** Returns a body of these handlers in the spelling of a release. */
export const toSpelling = (body: unknown, spelling: Spelling): unknown =>
  spelling === 'snake_case' ? body : renamed(body, camelCase);

/**
 * Returns a client's body in the spelling of these handlers. A member in another spelling becomes an unknown member.
 */
export const fromSpelling = (body: unknown, spelling: Spelling): unknown =>
  spelling === 'snake_case' ? body : renamed(body, name => (name.includes('_') ? `?${name}` : snakeCase(name)));

const renamed = (value: unknown, rename: (name: string) => string): unknown => {
  if (Array.isArray(value)) return value.map(one => renamed(one, rename));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [rename(name), renamed(member, rename)]));
};

const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

const snakeCase = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);

const options = 'OPTIONS';

/**
 * `/applications` (platform access 4.1), with which an administrator creates clients. The caller has already checked
 * that the request is authorised for all of it.
 */
export const applicationsRoutes = (applications: Applications, issuer: string, release: IdentityRelease): Routes => {
  const {spelling, ownIssuer, listed} = release.applications;
  const refuse = (response: ServerResponse, status: number, problem: ProviderError) =>
    sendJson(response, status, errorBody(problem, release));
  const show = (response: ServerResponse, status: number, {application, secret}: ApplicationDraft) => {
    const body = applicationBody(application, ownIssuer ? issuer : undefined, secret);
    sendJson(response, status, toSpelling(body, spelling), secret === undefined ? {} : noStore);
  };
  const bodyOf = async (request: IncomingMessage) => fromSpelling(jsonOf(await readBody(request)), spelling);
  const context = {applications, issuer, ownIssuer};
  return {
    '/applications': {
      GET: (_, response) => {
        const all = applications.list();
        const ordered = listed === 'by-name' ? all.toSorted((one, other) => (one.name < other.name ? -1 : 1)) : all;
        const summaries = ordered.map(one => toSpelling(applicationSummary(one), spelling));
        sendJson(response, 200, {totalResults: summaries.length, count: summaries.length, applications: summaries});
      },
      POST: async (request, response) => {
        const draft = draftApplication(await bodyOf(request), context);
        if ('code' in draft) return refuse(response, 400, draft);
        applications.put(draft.application);
        show(response, 201, draft);
      },
      [options]: (_, response) => sendNothing(response, 204, {Allow: 'GET, HEAD, OPTIONS, POST'}),
    },
    // The provider knows this path, but supports only OPTIONS on it: an extra slash is an error.
    '/applications/': {
      [options]: (_, response) => sendNothing(response, 204, {Allow: 'OPTIONS'}),
    },
    '/applications/{id}': {
      GET: (_, response, {id = ''}) => {
        const application = applications.byId(id);
        if (!application) return refuse(response, 404, applicationProblems.notFound);
        show(response, 200, {application, secret: undefined});
      },
      PUT: async (request, response, {id = ''}) => {
        const existing = applications.byId(id);
        const body = await bodyOf(request);
        if (!existing) return refuse(response, 404, applicationProblems.notFound);
        const draft = draftApplication(body, {...context, existing});
        if ('code' in draft) return refuse(response, 400, draft);
        applications.put(draft.application);
        show(response, 200, draft);
      },
      DELETE: (_, response, {id = ''}) => {
        applications.delete(id);
        sendNothing(response, 204);
      },
      [options]: (_, response) => sendNothing(response, 204, {Allow: 'DELETE, GET, HEAD, OPTIONS, PUT'}),
    },
  };
};

/** Headers for answers that show a secret. */
const noStore = {'Cache-Control': 'no-store'};
