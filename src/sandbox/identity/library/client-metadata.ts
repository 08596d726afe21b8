import type {Adapter, AdapterPayload} from 'oidc-provider';
import type {Application, Applications} from '../applications/applications.ts';
import {answeredGrants} from '../tokens/grant-types.ts';

/** Lets the protocol library see every application, as it is at this moment, as a client. Only the platform writes. */
export const clientAdapter = (applications: Applications): Adapter => ({
  find: async clientId => {
    const application = applications.byClientId(clientId);
    return application && clientMetadata(application);
  },
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  upsert: async () => {},
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
});

/** An application as client metadata (RFC 7591 2, OpenID Connect Registration 2). */
const clientMetadata = (application: Application): AdapterPayload => ({
  client_id: application.clientId,
  client_name: application.name,
  ...(application.clientSecret === undefined ? {} : {client_secret: application.clientSecret}),
  redirect_uris: [...application.redirectUris],
  grant_types: application.grantTypes.filter(grantType => answeredGrants.includes(grantType)),
  response_types: application.responseTypes.includes('code') ? ['code'] : [],
  token_endpoint_auth_method: application.tokenEndpointAuthMethod,
  application_type: application.redirectUris.some(isNative) ? 'native' : 'web',
});

/** A redirect URI that only a program on the person's own machine can have (RFC 8252 7). */
const isNative = (uri: string) => {
  const url = URL.parse(uri);
  if (url?.protocol === 'http:') return ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);
  return url !== null && url.protocol !== 'https:';
};
