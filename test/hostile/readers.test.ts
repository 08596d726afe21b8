import {describe, expect, test} from 'vitest';
import {createLines} from '../../src/bridge/lines.ts';
import {addressOf, parseAddress, withoutSlash} from '../../src/domain/address.ts';
import {
  expiryOf,
  inspectToken,
  isAccessToken,
  isRefreshToken,
  keyIdOf,
  payloadOf,
  scopesIn,
} from '../../src/domain/tokens.ts';
import {busyError} from '../../src/errors/http-status.ts';
import {healthText, readJson, reasonIn, statusError} from '../../src/flows/http-answers.ts';
import {issuerIn, requireEndpoints, withoutFalseLists} from '../../src/flows/metadata.ts';
import {readArguments} from '../../src/flows/platform-tools/call-tool.ts';
import {checkAuthorization} from '../../src/flows/sign-in/authorization-request.ts';
import {freshFor, oauthClient} from '../../src/flows/sign-in/oauth-client.ts';
import {isRefusal} from '../../src/flows/sign-in/oauth-fetch.ts';
import {hasNoNonce, tokensIn} from '../../src/flows/sign-in/token-response.ts';
import {allProviders, causeOf, recogniseProvider} from '../../src/identity-providers/catalogue.ts';
import {findMetadata, isSameButSlash} from '../../src/identity-providers/identity-provider.ts';
import {createParamHeaders} from '../../src/mcp/headers.ts';
import {inspect} from '../../src/mcp/message.ts';
import {
  challengeIn,
  challengeText,
  demandedScopes,
  isSessionLost,
  refusalError,
  rpcErrorIn,
} from '../../src/mcp/refusal.ts';
import {createSseParser} from '../../src/mcp/response-stream.ts';
import {judgeCompany} from '../../src/platform/company-file.ts';
import {bundled} from '../../src/platform/platforms.ts';
import {isNewer, recognise, releaseOf} from '../../src/platform/recognise.ts';
import {isPage, portalIn, redirectError} from '../../src/ports/network/portal.ts';
import {parseProxy} from '../../src/ports/network/proxies.ts';
import {refusalHandedOn} from '../../src/ports/network/proxy-refusals.ts';
import {createRedactor} from '../../src/ports/redact.ts';
import {briefText, cleanText, escapeUnsafe, hasJwt, printable, withoutTokens} from '../../src/text.ts';
import {identityProvider} from '../flows/sign-in/support/identity-provider.ts';
import {noSignal} from '../support/flows.ts';
import {temporaryPorts} from '../support/place.ts';
import {text as answering} from '../support/server.ts';
import {isWholeTable} from '../support/tables.ts';

/** The size of each text. If reading takes the square of it, even the smaller one takes minutes. */
const SIZE = (isWholeTable ? 1024 : 256) * 1024;

/** Texts on which an expression, a scanner or a join is slow: a beginning without an end, repeated. */
const pieces: readonly string[] = [
  ...['a', ' ', '\n', '/', '\\', '"', '.', ',', ';', ':', '=', '-', '0', '%', '&a', '<', '\ud800'],
  ...['<title', '<title ', '<script', '<head>', '</', '<!--', '://', 'a://', 'https://', ':a@', '?code='],
  ...['eyJ-', '-eyJaaaaaaaa', 'eyJaaaaaaaa.', 'Bearer a', 'Bearer a1'],
  ...['error="', 'a=b,', 'a = ', '\\"', 'scope ', '{"a":', '[', '1.0.', 'data:\n', 'id:\n', '\u001b['],
  ...[
    'app ',
    'client ',
    'grant type ',
    'requested audience ',
    'more than one ',
    'not allowed ',
    'PAR ',
    'request_uri ',
  ],
];

const worst = pieces.map(piece => piece.repeat(SIZE / piece.length));

const url = new URL('https://api.acme.example/x');
const issuer = 'https://idp.acme.example';
const proxy = parseProxy('http://proxy.acme.example:3128', 'HTTPS_PROXY');

const replyOf = (body: string, status = 200, type = 'application/json') => ({
  ...{status, body, ms: 0},
  header: (name: string) => (name === 'content-type' ? type : undefined),
});

/** Creates a reply with a text in every header. */
const headersOf = (text: string, status: number) => ({status, body: '', ms: 0, header: () => text});

/** Every function that reads text from a server, a provider, a proxy or a foreign file. It may throw its own errors. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  'a page': text => [portalIn(replyOf(text, 200, 'text/html'), url), isPage(replyOf(text, 200, ''))],
  'a page that begins like one': text => portalIn(replyOf(`<html>${text}`, 200, ''), url),
  'a title': text => portalIn(replyOf(`<title>${text}`, 403, 'text/html'), url),
  XML: text => isPage(replyOf(`<?xml ${text}`, 200, 'text/xml')),
  'the target of a redirect': text => [portalIn(headersOf(text, 302), url), redirectError(headersOf(text, 302), url)],
  'a document': text => readJson(replyOf(text), url),
  'a document of a member': text => readJson(replyOf(JSON.stringify({a: text})), url),
  'the reason of a refusal': text => reasonIn(replyOf(JSON.stringify({error: text, error_description: text}), 400)),
  'a refusal in text': text => reasonIn(replyOf(text, 400, 'text/plain')),
  'a status': text => [statusError(replyOf(text, 403, 'text/plain'), url), statusError(replyOf(text, 500), url)],
  'a status with headers': text => statusError(headersOf(text, 429), url),
  'a busy server': text => busyError('It', {status: 503, header: () => text}, {about: {url: issuer}}),
  'how long an answer may be kept': text => freshFor(() => text),
  'the state of a service': text => healthText(replyOf(text)),
  'a refusal of the token endpoint': text => isRefusal(text),
  'an issuer': text => issuerIn({issuer: text}, url),
  'an issuer with a path': text => issuerIn({issuer: `${issuer}/${text}`}, url),
  'the places of metadata': text => findMetadata(`${issuer}/${text}`, async () => undefined),
  'two issuers': text => isSameButSlash(`${issuer}${text}`, `${issuer}${text}x`),
  'the lists of metadata': text => withoutFalseLists({a_supported: [text], b_supported: text}),
  'an endpoint': async text => requireEndpoints({token_endpoint: text}, issuer, await ports),
  'an endpoint with a path': async text => requireEndpoints({token_endpoint: `${issuer}/${text}`}, issuer, await ports),
  'which provider it is': text => [
    recogniseProvider(text),
    recogniseProvider(`https://${text}`),
    recogniseProvider(issuer, {token_endpoint: text, issuer: text, authorization_endpoint: text}),
  ],
  'what a provider says': text =>
    allProviders.map(one =>
      (['authorization', 'token', 'renewal', 'device'] as const).map(at =>
        causeOf(one, {at, error: 'invalid_request', says: text}),
      ),
    ),
  'an address': text => [withoutSlash(text), withoutSlash(`${text}x`), addressOf(`${issuer}/${text}x`, '/y')],
  'an address of a person': text => parseAddress(text, 'It'),
  'a challenge': text => [challengeIn(text), challengeIn(`Bearer ${text}`), challengeIn(`Bearer error="${text}`)],
  'a scope that is demanded': text => {
    const challenge = {error: 'insufficient_scope', scope: text, description: text};
    return [demandedScopes(challenge), challengeText(challenge)];
  },
  'a refusal of a server': text => refusalError({status: 400, type: 'text/plain', text, header: () => text}, url),
  'a denial of a server': text => refusalError({status: 403, type: 'text/plain', text, header: () => text}, url),
  'a lost session': text => isSessionLost({status: 400, type: '', text, header: () => undefined}),
  'an error of JSON-RPC': text => rpcErrorIn(text),
  'a message': text => inspect(Buffer.from(text)),
  'a message of a member': text => inspect(Buffer.from(`{"id":1,"result":${JSON.stringify(text)}}`)),
  'a list of tools': text =>
    createParamHeaders().learn(
      Buffer.from(JSON.stringify({id: 1, result: {tools: [{name: text, inputSchema: {properties: {[text]: {}}}}]}})),
      true,
    ),
  'a stream of events': text => createSseParser().push(Buffer.from(text)),
  'a stream of data lines': text => createSseParser().push(Buffer.from(`data: ${text}\n\n`)),
  lines: text => createLines(() => {}).push(Buffer.from(text)),
  'a JWT': text => [payloadOf(text), expiryOf(`${text}.${text}`), keyIdOf(text), scopesIn(text)],
  'the claims of a JWT': text => {
    const claims = {scope: text, iss: text, aud: [text], exp: 1};
    const token = `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`;
    return [scopesIn(token), inspectToken(token, issuer, 0)];
  },
  'a token': text => [isAccessToken(text), isRefreshToken(text)],
  'an answer with tokens': text => {
    const body = JSON.stringify({access_token: text, id_token: text, refresh_token: text, token_type: text});
    return [tokensIn(body), tokensIn(text), hasNoNonce(body)];
  },
  'a refusal of a proxy': text =>
    refusalHandedOn({status: 407, headers: {'proxy-status': text, 'proxy-authenticate': text}}, proxy, 'host:443'),
  'a release': text => [releaseOf(bundled, text), isNewer(text, '1.0.0'), isNewer('1.0.0', text)],
  'what a platform says of itself': text => recognise([bundled], {name: text, metadata: {resource_name: text}}),
  'a company file': text => judgeCompany({baseDomain: 'acme.example', a: text, platform: {label: text}}, '1.0.0'),
  'what is shown': text => [cleanText(text), briefText(text, 60), printable(text), escapeUnsafe(JSON.stringify(text))],
  'what is written to a record': text => [withoutTokens(text), hasJwt(text), createRedactor().redact(text)],
};

let ports: ReturnType<typeof temporaryPorts>;

describe('a long text that is made for it takes no time for a reader of', () => {
  test.each(Object.entries(readers))(
    '%s',
    async (_name, read) => {
      ports = temporaryPorts();
      await ports;
      for (const text of worst) {
        await Promise.resolve()
          .then(() => read(text))
          .catch(() => undefined);
      }
    },
    30_000,
  );

  test.each(['<head', '<script>', '<', '</head', 'a<'])('a page that refuses an authorization: %s', async piece => {
    const page = answering(`<html>${piece.repeat(200_000 / piece.length)}`, 400, 'text/html');
    const at = await identityProvider({}, () => ({'/authorize': page}));
    const run = {ports: await temporaryPorts(), signal: noSignal, tell: () => {}};
    const client = await oauthClient({issuer: at, clientId: 'cli', authentication: {method: 'none'}}, run);
    const asked = {scopes: ['openid']};
    const input = {issuer: at, clientId: 'cli', asked, redirectUri: 'http://127.0.0.1:1/cb'};
    await expect(checkAuthorization(client, input, run)).rejects.toMatchObject({
      code: expect.stringMatching(/^auth-|^network-/),
    });
  });

  test('the schema of a tool', async () => {
    const name = 'a; #/b: "'.repeat(20_000);
    const tool = {name: 'x', inputSchema: {properties: {a: {enum: [name]}}}};
    const reading = readArguments(tool, {words: ['a="b"']}, 'control-plane');
    await expect(reading).rejects.toMatchObject({code: 'input-invalid'});
  });
});
