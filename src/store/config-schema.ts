import type {AssistantsAccount, Context, ContextCli, ContextEntry, NetworkSettings} from '../domain/context.ts';
import type {WrittenEntry} from '../domain/written-entry.ts';
import type {ConfigFormat} from './config-writer.ts';
import {formats, type JsonSchema} from './json-files.ts';

/** A schema for every member of a type, so that no member is read unchecked. */
type Members<T> = {readonly [Member in keyof T]-?: JsonSchema};

const string = {type: 'string'} as const satisfies JsonSchema;
const text = {type: 'string', minLength: 1} as const satisfies JsonSchema;
const texts = {type: 'array', items: string} as const satisfies JsonSchema;
const url = {type: 'string', minLength: 1, format: 'whatwg-url'} as const satisfies JsonSchema;
const address = {type: 'string', minLength: 1, format: 'web-address'} as const satisfies JsonSchema;

const yes = {const: true} as const satisfies JsonSchema;

const object = (properties: NonNullable<JsonSchema['properties']>, ...required: readonly string[]): JsonSchema => ({
  type: 'object',
  properties,
  ...(required.length > 0 ? {required} : {}),
});

const network: JsonSchema = {
  type: 'object',
  properties: {
    proxy: {anyOf: [{enum: ['none', 'environment']}, {type: 'object', additionalProperties: text}]},
    authority: {
      type: 'object',
      anyOf: [
        {properties: {file: text}, required: ['file']},
        {properties: {pem: text}, required: ['pem']},
      ],
    },
    clientCertificate: object({certificate: text, key: text}, 'certificate', 'key'),
    allowHttp: texts,
  } satisfies Members<NetworkSettings>,
};

const writtenEntry: JsonSchema = {
  type: 'object',
  properties: {
    connection: text,
    authorization: text,
    members: {type: 'object', additionalProperties: text},
  } satisfies Members<WrittenEntry>,
  required: ['connection', 'members'],
};

const entry: JsonSchema = {
  type: 'object',
  properties: {
    ...{assistant: string, scope: string, project: string, method: string, path: string},
    ...{oauthClient: text, names: {type: 'array'}, tools: string, created: yes},
    made: object({kind: {enum: ['nothing', 'entries', 'map', 'contents']}, within: string, text: string}, 'kind'),
    written: {type: 'object', additionalProperties: {type: 'array', items: writtenEntry}},
    replaced: texts,
    directories: {type: 'array', items: string},
    ignored: object({path: text, pattern: text, made: {enum: ['file', 'line-end']}}, 'path', 'pattern'),
  } satisfies Members<ContextEntry>,
  required: ['assistant', 'scope', 'project', 'method', 'path', 'names'],
};

const cli: JsonSchema = {
  type: 'object',
  properties: {
    path: text,
    name: text,
    added: {type: 'array', items: {enum: ['controlplanes', 'credentials', 'contexts']}},
    directories: {type: 'array', items: string},
    ...{created: yes, previous: string, version: string},
  } satisfies Members<ContextCli>,
  required: ['path', 'name', 'added'],
};

const textOrTexts: JsonSchema = {anyOf: [text, texts]};
const route = object({name: text, namespace: text}, 'name', 'namespace');
const client = object({clientId: text, from: text}, 'clientId', 'from');

/** The changes that a company file makes to a kind of platform. */
const descriptor: JsonSchema = {
  type: 'object',
  properties: {
    ...{name: text, localBaseDomain: text, observabilityLabel: text, externalClientsKey: text, callbackUrl: url},
    labels: {type: 'object', additionalProperties: text},
    ports: object({observer: {type: 'object'}}),
    paths: {type: 'object', additionalProperties: textOrTexts},
    recognition: {type: 'object', additionalProperties: textOrTexts},
    cluster: {
      type: 'object',
      properties: {
        ...{release: text, namespace: text, authority: route},
        routes: {type: 'object', additionalProperties: {type: 'array', items: route}},
        values: {type: 'object', additionalProperties: text},
      },
    },
    cliClient: object({name: text, clientId: text, scopes: texts}),
    preparedClients: {type: 'array', items: client},
    assistantClient: client,
    sampleApplication: object({name: text, clientId: text, redirectUri: url}),
    mcpServers: {type: 'object', additionalProperties: text},
  },
  additionalProperties: false,
};

// Servers and their resources (RFC 8707 2: absolute URIs).
const resources: JsonSchema = {type: 'object', properties: {observability: url}, additionalProperties: false};

const asks: JsonSchema = {
  type: 'object',
  properties: {scopes: texts, resource: text, audience: text, acrValues: text},
  additionalProperties: false,
};

const context: JsonSchema = {
  type: 'object',
  properties: {
    name: text,
    platform: text,
    descriptor,
    baseDomain: text,
    contact: text,
    layout: {enum: ['single', 'multi', 'unknown']},
    controlPlaneUrl: address,
    observerUrl: address,
    authUrl: address,
    issuer: url,
    identityProvider: text,
    release: text,
    signIn: {enum: ['browser', 'service-account', 'mcp-client']},
    clientId: text,
    signInBy: {enum: ['device']},
    account: text,
    ...{scopes: texts, resource: text, resources, asks},
    ...{assumesPkce: yes, redirectUri: text},
    network,
    entries: {type: 'array', items: entry},
    cli,
    onlyLook: yes,
    assistantsAccount: {
      type: 'object',
      properties: {
        signIn: {enum: ['service-account', 'mcp-client']},
        clientId: text,
        ...{scopes: texts, resource: text, resources, asks},
        purpose: {enum: ['look', 'build', 'run']},
        granted: object({roles: texts, bindings: texts, kubeContext: text}, 'roles', 'bindings'),
      } satisfies Members<AssistantsAccount>,
      required: ['signIn', 'clientId'],
    },
  } satisfies Members<Omit<Context, 'actsAs'>>,
  required: ['name', 'platform', 'baseDomain', 'layout', 'controlPlaneUrl', 'authUrl', 'issuer', 'signIn', 'clientId'],
};

/** The members of the type `Config`. Others are accepted, except where `additionalProperties` is false. */
const configSchema = {
  type: 'object',
  properties: {version: {const: 1}, currentContext: string, contexts: {type: 'array', items: context}},
  required: ['version', 'contexts'],
} as const satisfies JsonSchema;

/** The format of the file. */
export const configFormat = {
  schema: configSchema,
  formats,
  empty: {version: 1, contexts: []},
} as const satisfies ConfigFormat;
