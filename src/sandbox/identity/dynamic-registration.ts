import {z} from 'zod';
import {jsonOf, type Routes, readBody, sendJson, sendNothing} from '../http-server.ts';
import type {IdentityRelease} from '../releases/release.ts';
import {type Applications, application, authMethods} from './applications.ts';
import {newClientId, newSecret} from './initial-applications.ts';

const metadata = z.object({
  client_name: z.string().optional(),
  redirect_uris: z.array(z.url()).default([]),
  grant_types: z.array(z.string()).default(['authorization_code']),
  token_endpoint_auth_method: z.enum(authMethods).default('client_secret_basic'),
});

const path = '/oauth2/dcr/register';

/**
 * Dynamic client registration (RFC 7591 3). It is open to everyone, or requires a permission that no client of the
 * sandbox has.
 */
export const registrationRoutes = (
  applications: Applications,
  issuer: string,
  {registration}: IdentityRelease,
): Routes => ({
  [path]: {
    OPTIONS: (_, response) => sendNothing(response, 204, {Allow: 'OPTIONS, POST'}),
    POST: async (request, response) => {
      const parsed = metadata.safeParse(jsonOf(await readBody(request)));
      if (registration === 'closed') return sendJson(response, 401, closed);
      if (!parsed.success) return sendJson(response, 400, invalid);
      const {client_name, redirect_uris, grant_types, token_endpoint_auth_method} = parsed.data;
      const clientId = newClientId();
      const clientSecret = token_endpoint_auth_method === 'none' ? undefined : newSecret();
      const created = application({
        name: client_name ?? clientId,
        clientId,
        ...(clientSecret !== undefined && {clientSecret}),
        redirectUris: redirect_uris,
        grantTypes: grant_types,
        tokenEndpointAuthMethod: token_endpoint_auth_method,
        issuer,
      });
      applications.put(created);
      sendJson(response, 201, {
        client_id: clientId,
        ...(clientSecret !== undefined && {client_secret: clientSecret}),
        client_secret_expires_at: 0,
        redirect_uris,
        grant_types,
        response_types: created.responseTypes,
        client_name: created.name,
        token_endpoint_auth_method,
        app_id: created.id,
      });
    },
  },
});

const invalid = {error: 'invalid_client_metadata', error_description: 'The request format is invalid'};

const closed = {
  error: 'unauthorized_client',
  error_description: 'Authentication with sufficient permissions is required to register a client',
};
