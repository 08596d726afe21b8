import {applicationRequest} from './application-body.ts';
import {type ApplicationProblem, applicationProblems as problems} from './application-problems.ts';
import {type Application, type Applications, application, authMethods} from './applications.ts';
import {newClientId, newSecret} from './initial-applications.ts';

export type ApplicationDraft = {
  readonly application: Application;
  /** The secret that this very request set, to be shown once. */
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
 * Turns a request body into an application. `existing` is the one that it replaces, whose ID, client ID and secret stay
 * unless the body sets them. Returns the provider's first complaint otherwise.
 */
export const draftApplication = (
  body: unknown,
  {applications, issuer, ownIssuer, existing}: DraftContext,
): ApplicationDraft | ApplicationProblem => {
  const parsed = applicationRequest.safeParse(body);
  if (!parsed.success) return problems.format;
  const {name, description, type, inbound_auth_config} = parsed.data;
  const [inbound] = inbound_auth_config;
  if (!inbound) return problems.format;
  const {config} = inbound;
  const taken = (other: Application | undefined) => other !== undefined && other.id !== existing?.id;

  if (!name.trim()) return problems.name;
  if (taken(applications.byName(name))) return problems.duplicateName;
  if (config.grant_types.length === 0 || !config.grant_types.every(grant => grants.has(grant)))
    return problems.grantType;
  const method = authMethods.find(known => known === config.token_endpoint_auth_method);
  if (!method) return problems.authMethod;
  if (method === 'none' && config.grant_types.includes('client_credentials')) return problems.publicService;
  if (config.grant_types.includes('authorization_code') && config.redirect_uris.length === 0) {
    return problems.noRedirectUri;
  }
  if (!config.redirect_uris.every(isRedirectUri)) return problems.format;
  const clientId = config.client_id || existing?.clientId || newClientId();
  if (taken(applications.byClientId(clientId))) return problems.duplicateClientId;

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

/** An absolute URI without a fragment (RFC 6749 3.1.2). */
const isRedirectUri = (text: string) => URL.canParse(text) && !text.includes('#');
