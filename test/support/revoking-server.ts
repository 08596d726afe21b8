import {json, serve, text} from './server.ts';

type Behaviour = {
  /** True if the metadata names a revocation endpoint. */
  readonly offered?: boolean;
  /** Returns the answer. `body` is sent as JSON, and `raw` as it is. */
  readonly answer?: () =>
    | {readonly status?: number; readonly body?: object; readonly raw?: string; readonly location?: string}
    | Promise<{readonly status?: number}>;
  /** The authentication methods that the metadata lists for the revocation endpoint. */
  readonly methods?: readonly string[];
  /** The identity provider's answer about its readiness. */
  readonly readiness?: object;
};

/** Starts an identity provider that revokes tokens, and records the requests. */
export const revokingServer = async ({offered = true, answer = () => ({}), methods, readiness}: Behaviour = {}) => {
  const forms: URLSearchParams[] = [];
  const authorizations: (string | undefined)[] = [];
  const issuer: string = await serve(async (request, response) => {
    if (request.url === '/revoke') {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      authorizations.push(request.headers.authorization);
      forms.push(new URLSearchParams(Buffer.concat(chunks).toString()));
      const given: {status?: number; body?: object; raw?: string; location?: string} = await answer();
      const {status = 200, body = {}, raw, location} = given;
      if (location !== undefined) return void response.writeHead(status, {Location: location}).end();
      return (raw === undefined ? json(body, status) : text(raw, status))(request, response);
    }
    if (request.url === '/health/readiness' && readiness) return json(readiness)(request, response);
    const revocation = {
      ...(offered ? {revocation_endpoint: `${issuer}/revoke`} : {}),
      ...(methods ? {revocation_endpoint_auth_methods_supported: methods} : {}),
    };
    return json({issuer, token_endpoint: `${issuer}/token`, ...revocation, jwks_uri: `${issuer}/jwks`})(
      request,
      response,
    );
  });
  return {issuer, forms, authorizations, revoked: () => forms.map(form => form.get('token') ?? '')};
};
