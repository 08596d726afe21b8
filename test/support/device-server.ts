import {json, serve} from './server.ts';

export type Poll = {readonly status?: number; readonly body: object};

/** Starts an identity provider with a device flow. Its token endpoint answers one poll after the other. */
export const deviceServer = async (
  polls: readonly Poll[],
  {offered = true, seconds = 60, metadata = {}, code = {}} = {},
) => {
  const forms: Record<'authorization' | 'token', URLSearchParams[]> = {authorization: [], token: []};
  const issuer: string = await serve(async (request, response) => {
    const answer = (body: object, status = 200) => json(body, status)(request, response);
    const form = async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      return new URLSearchParams(Buffer.concat(chunks).toString());
    };
    if (request.url === '/oauth2/device_authorization') {
      forms.authorization.push(await form());
      return answer({
        device_code: 'device-canary',
        user_code: 'WDJB-MJHT',
        verification_uri: `${issuer}/device`,
        expires_in: seconds,
        interval: 0.01,
        ...code,
      });
    }
    if (request.url === '/oauth2/token') {
      forms.token.push(await form());
      const poll = polls[Math.min(forms.token.length, polls.length) - 1];
      return answer(poll?.body ?? {}, poll?.status);
    }
    const device = offered ? {device_authorization_endpoint: `${issuer}/oauth2/device_authorization`} : {};
    return answer({
      issuer,
      token_endpoint: `${issuer}/oauth2/token`,
      jwks_uri: `${issuer}/jwks`,
      ...device,
      ...metadata,
    });
  });
  return {issuer, forms};
};

/** The answer before the person has typed the code. */
export const pending: Poll = {status: 400, body: {error: 'authorization_pending'}};

/** The answer after the person has typed the code. */
export const token: Poll = {
  body: {access_token: 'access-1', refresh_token: 'refresh-1', token_type: 'Bearer', expires_in: 3600},
};
