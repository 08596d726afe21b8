/** A better-auth server with its plugin for OAuth providers, in memory, with a page for sign-in and one for consent. */
import {writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {oauthProvider} from '@better-auth/oauth-provider';
import {betterAuth} from 'better-auth';
import {memoryAdapter} from 'better-auth/adapters/memory';
import {toNodeHandler} from 'better-auth/node';
import {jwt} from 'better-auth/plugins';

const given = JSON.parse(process.env.PROVIDER ?? '{}');
const origin = `http://127.0.0.1:${given.port}`;
const models = ['user', 'session', 'account', 'verification', 'jwks', 'rateLimit'];
const oauth = ['Client', 'RefreshToken', 'AccessToken', 'Consent', 'Resource', 'ClientResource', 'ClientAssertion'];
const database = Object.fromEntries([...models, ...oauth.map(name => `oauth${name}`)].map(name => [name, []]));

const auth = betterAuth({
  baseURL: origin,
  secret: 'of-a-test-and-long-enough-for-it-to-be-one',
  database: memoryAdapter(database),
  emailAndPassword: {enabled: true},
  rateLimit: {enabled: false},
  logger: {level: 'error'},
  plugins: [
    jwt(),
    oauthProvider({
      loginPage: '/sign-in',
      consentPage: '/consent',
      scopes: ['openid', 'profile', 'email', 'offline_access', 'platform'],
      resources: [given.audience],
      enforcePerClientResources: false,
      clientPrivileges: () => true,
      silenceWarnings: {oauthAuthServerConfig: true, openidConfig: true},
    }),
  ],
});

const {headers: signedUp} = await auth.api.signUpEmail({
  body: {name: 'Ann', email: given.email, password: given.password},
  returnHeaders: true,
});
const headers = new Headers({
  cookie: signedUp
    .getSetCookie()
    .map(one => one.split(';')[0])
    .join('; '),
});

// better-auth assigns the IDs and secrets of clients itself.
const create = body => auth.api.adminCreateOAuthClient({headers, body});
const people = await create({
  client_name: 'CLI',
  redirect_uris: [given.redirectUri],
  token_endpoint_auth_method: 'none',
  application_type: 'native',
  grant_types: ['authorization_code', 'refresh_token'],
  scope: 'openid profile email offline_access',
});
const service = await create({
  client_name: 'CI',
  token_endpoint_auth_method: 'client_secret_post',
  grant_types: ['client_credentials'],
  scope: 'platform',
  client_credentials_scopes: ['platform'],
});
writeFileSync(given.clients, JSON.stringify({people, service}));

/** A page whose form calls an endpoint, and follows the address in its answer. */
const page = (endpoint, fields, buttons) => `<!doctype html><form>${fields}${buttons}</form><script>
document.forms[0].addEventListener('submit', async event => {
  event.preventDefault();
  const body = Object.fromEntries(new FormData(event.target, event.submitter));
  if ('accept' in body) body.accept = body.accept === 'yes';
  const answer = await fetch('/api/auth/${endpoint}', {
    method: 'POST',
    headers: {'Content-Type': 'application/json'},
    body: JSON.stringify({...body, oauth_query: location.search.slice(1)}),
  });
  const {url, redirect_uri: back, uri} = await answer.json();
  location.href = url ?? back ?? uri;
});
</script>`;
const pages = {
  '/sign-in': page(
    'sign-in/email',
    '<input name="email" aria-label="Email"><input name="password" type="password" aria-label="Password">',
    '<button>Sign in</button>',
  ),
  '/consent': page(
    'oauth2/consent',
    '',
    '<button name="accept" value="yes">Allow</button><button name="accept" value="no">Deny</button>',
  ),
};
const handle = toNodeHandler(auth);
createServer((request, response) => {
  const {pathname} = new URL(request.url ?? '/', origin);
  const html = pages[pathname];
  if (html === undefined) return handle(request, response);
  response.writeHead(200, {'Content-Type': 'text/html'}).end(html);
}).listen(given.port, '127.0.0.1');
