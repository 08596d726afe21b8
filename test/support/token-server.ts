import {serve} from './server.ts';

type TokenAnswer = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: object | string;
  readonly delay?: Promise<unknown>;
};

/**
 * Starts an identity provider with a token endpoint of the test. It counts the requests and answers with `answer`.
 * Its discovery is correct.
 */
export const tokenServer = async (
  answer: (form: URLSearchParams, count: number) => TokenAnswer | Promise<TokenAnswer>,
) => {
  const asked: URLSearchParams[] = [];
  const issuer: string = await serve(async (request, response) => {
    if (request.url !== '/oauth2/token') {
      const metadata = {issuer, token_endpoint: `${issuer}/oauth2/token`, jwks_uri: `${issuer}/jwks`};
      response.writeHead(200, {'Content-Type': 'application/json'}).end(JSON.stringify(metadata));
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    asked.push(form);
    const {status = 200, headers = {}, body, delay} = await answer(form, asked.length);
    await delay;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    response
      .writeHead(status, {
        'Content-Type': typeof body === 'string' ? 'text/html' : 'application/json',
        ...headers,
      })
      .end(text);
  });
  return {issuer, asked};
};

/** A token answer that contains its number, with rotation. */
export const rotating = (_form: URLSearchParams, count: number): TokenAnswer => ({
  body: {access_token: `access-${count}`, refresh_token: `refresh-${count}`, token_type: 'Bearer', expires_in: 3600},
});
