import {addressOf} from '../../domain/address.ts';
import {SetupError} from '../../errors/errors.ts';
import type {Platform} from '../../platform/platform.ts';
import type {HttpReply} from '../../ports/ports.ts';
import type {Run} from '../flow.ts';
import {isSuccess, type JsonObject, readJson, textAt} from '../http-answers.ts';

/** The public client with which a person signs in, and what it requests. */
export type CliClient = {
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** The audience that the platform names for its tokens (RFC 8707); `none` if the identity provider refused it. */
  readonly resource?: string;
  /** Set if neither the person nor the control plane named the client: it is the bundled identity provider's own. */
  readonly isAssumed?: true;
};

type Input = {
  readonly platform: Platform;
  readonly controlPlaneUrl: string;
  /** The client ID that the person gave; it overrides every other one. */
  readonly clientId?: string;
};

/**
 * Finds the public CLI client that a control plane names: in its protected resource metadata (from 0.17) or in its
 * OpenID configuration for clients (0.14 to 0.16). Otherwise uses the one in the platform's descriptor.
 *
 * @throws SetupError `network-*`
 */
export const findCliClient = async (input: Input, {ports: {http}, signal, tell}: Run): Promise<CliClient> => {
  const {platform, controlPlaneUrl} = input;
  const ask = async (path: string): Promise<JsonObject> => {
    const url = addressOf(controlPlaneUrl, path);
    const headers = {'X-Use-OpenAPI': 'true'};
    const isMetadata = path === platform.paths.protectedResource;
    const request = {method: 'GET', url, ...(isMetadata ? {} : {headers}), redirects: 'answer'} as const;
    const reply = await http.send(request, {signal, report: tell});
    return documentIn(reply, url);
  };
  const [metadata, ...generations] = await Promise.all(
    [platform.paths.protectedResource, ...platform.paths.cliDiscovery].map(ask),
  );
  const listed = [metadata?.[platform.externalClientsKey], ...generations.map(document => document.external_clients)];
  const named = listed.map(clientIn(platform)).find(client => client !== undefined);
  const {clientId, scopes} = named ?? platform.cliClient;
  const resource = resourceIn(metadata, addressOf(controlPlaneUrl, platform.paths.mcp).href);
  const isAssumed = named === undefined && input.clientId === undefined;
  return {
    clientId: input.clientId ?? clientId,
    scopes,
    ...(resource ? {resource} : {}),
    ...(isAssumed ? {isAssumed} : {}),
  };
};

/** A document that is missing or not JSON counts as empty: the document of another generation may exist. */
const documentIn = (reply: HttpReply, url: URL): JsonObject => {
  if (!isSuccess(reply)) return {};
  try {
    return readJson(reply, url);
  } catch (error) {
    if (error instanceof SetupError) return {};
    throw error;
  }
};

const clientIn =
  ({cliClient}: Platform) =>
  (list: unknown): {clientId: string; scopes: readonly string[]} | undefined => {
    const clients = Array.isArray(list) ? (list as JsonObject[]) : [];
    const client = clients.find(one => one?.name === cliClient.name) ?? clients[0];
    const clientId = client && textAt(client, 'client_id');
    if (!client || clientId === undefined || !isVisible(clientId)) return undefined;
    const scopes = Array.isArray(client.scopes) ? client.scopes.filter(isScope) : [];
    return {clientId, scopes: scopes.length > 0 ? scopes : cliClient.scopes};
  };

/**
 * Whether a client ID has only the characters that its grammar allows (RFC 6749 A.1): none of them can control a
 * terminal.
 */
const isVisible = (text: string): boolean => /^[\x20-\x7e]+$/.test(text);

/** Whether a value is one scope (RFC 6749 3.3). */
const isScope = (scope: unknown): scope is string =>
  typeof scope === 'string' && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope);

/** Metadata for another resource than the requested one must not be used (RFC 9728 3.3). */
const resourceIn = (metadata: JsonObject | undefined, mcpUrl: string): string | undefined =>
  metadata?.resource === mcpUrl ? mcpUrl : undefined;
