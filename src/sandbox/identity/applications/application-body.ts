import {randomUUID} from 'node:crypto';
import {z} from 'zod';
import type {Application} from './applications.ts';

/** The body of a request that creates or replaces an application, platform access 2.1. Members not listed are ignored. */
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

/** How a list shows an application. */
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
 * How an application shows itself. Its secret is shown only to the request that set it.
 *
 * @param issuer the provider's, where applications show whose tokens they give
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

// There is one way to sign in, so every application has the same flows.
const authFlowId = randomUUID();
const registrationFlowId = randomUUID();
