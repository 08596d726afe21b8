import type {ConfigFormat} from './config-writer.ts';
import {type JsonSchema, URL_FORMAT} from './json-files.ts';

const string = {type: 'string'} as const satisfies JsonSchema;
const text = {type: 'string', minLength: 1} as const satisfies JsonSchema;
const texts = {type: 'array', items: string} as const satisfies JsonSchema;
const url = {type: 'string', minLength: 1, format: URL_FORMAT} as const satisfies JsonSchema;

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
    clientCertificate: {
      type: 'object',
      properties: {certificate: text, key: text},
      required: ['certificate', 'key'],
    },
    allowHttp: texts,
  },
};

const writtenEntry: JsonSchema = {
  type: 'object',
  properties: {connection: text, authorization: text, members: {type: 'object', additionalProperties: text}},
  required: ['connection', 'members'],
};

const entry: JsonSchema = {
  type: 'object',
  properties: {
    ...{assistant: string, scope: string, project: string, method: string, path: string},
    names: {type: 'array'},
    tools: string,
    written: {type: 'object', additionalProperties: {type: 'array', items: writtenEntry}},
    replaced: texts,
    directories: {type: 'array', items: string},
    ignored: {
      type: 'object',
      properties: {path: text, pattern: text, made: {enum: ['file', 'line-end']}},
      required: ['path', 'pattern'],
    },
  },
  required: ['assistant', 'scope', 'project', 'method', 'path', 'names'],
};

const cli: JsonSchema = {
  type: 'object',
  properties: {
    path: text,
    name: text,
    added: {type: 'array', items: {enum: ['controlplanes', 'credentials', 'contexts']}},
  },
  required: ['path', 'name', 'added'],
};

const textOrTexts: JsonSchema = {anyOf: [text, texts]};
const route: JsonSchema = {type: 'object', properties: {name: text, namespace: text}, required: ['name', 'namespace']};
const client: JsonSchema = {type: 'object', properties: {clientId: text, from: text}, required: ['clientId', 'from']};

/** The changes that a company file makes to a kind of platform. */
const descriptor: JsonSchema = {
  type: 'object',
  properties: {
    ...{name: text, localBaseDomain: text, observabilityLabel: text, externalClientsKey: text, callbackUrl: url},
    labels: {type: 'object', additionalProperties: text},
    ports: {type: 'object', properties: {observer: {type: 'object'}}},
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
    cliClient: {type: 'object', properties: {name: text, clientId: text, scopes: texts}},
    preparedClients: {type: 'array', items: client},
    assistantClient: client,
    sampleApplication: {type: 'object', properties: {name: text, clientId: text, redirectUri: url}},
    mcpServers: {type: 'object', additionalProperties: text},
  },
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
    controlPlaneUrl: url,
    observerUrl: url,
    authUrl: url,
    issuer: url,
    identityProvider: text,
    release: text,
    signIn: {enum: ['browser', 'service-account', 'mcp-client']},
    clientId: text,
    signInBy: {enum: ['device']},
    account: text,
    scopes: texts,
    // Servers and their resources (RFC 8707 2: absolute URIs).
    resources: {type: 'object', properties: {observability: url}, additionalProperties: false},
    asks: {
      type: 'object',
      properties: {scopes: texts, resource: text, audience: text, acrValues: text},
      additionalProperties: false,
    },
    network,
    entries: {type: 'array', items: entry},
    cli,
    onlyLook: {const: true},
    assistantsAccount: {
      type: 'object',
      properties: {
        signIn: {enum: ['service-account', 'mcp-client']},
        clientId: text,
        scopes: texts,
        purpose: {enum: ['look', 'build', 'run']},
        granted: {
          type: 'object',
          properties: {roles: texts, bindings: texts, kubeContext: text},
          required: ['roles', 'bindings'],
        },
      },
      required: ['signIn', 'clientId'],
    },
  },
  required: ['name', 'platform', 'baseDomain', 'layout', 'controlPlaneUrl', 'authUrl', 'issuer', 'signIn', 'clientId'],
};

/** The members that are read from the file. Others are accepted, except where `additionalProperties` is false. */
const configSchema = {
  type: 'object',
  properties: {version: {const: 1}, currentContext: string, contexts: {type: 'array', items: context}},
  required: ['version', 'contexts'],
} as const satisfies JsonSchema;

/** The format of the file. */
export const configFormat = {
  schema: configSchema,
  formats: {[URL_FORMAT]: text => URL.canParse(text)},
  empty: {version: 1, contexts: []},
} as const satisfies ConfigFormat;
