import type {SandboxReady} from '../../../src/sandbox/sandbox.ts';
import {type Answer, type Call, pkce, send} from '../support.ts';

/** Creates a browser without a window: it keeps cookies by host and path, and fills in forms. */
export const createBrowser = () => {
  const cookies = new Map<string, {name: string; value: string; path: string}>();

  const visit = async (url: string | URL, call: Call = {}): Promise<Answer> => {
    const {host, pathname} = new URL(url);
    const sent = [...cookies.entries()]
      .filter(([key, {path}]) => key.startsWith(`${host} `) && within(pathname, path))
      .map(([, {name, value}]) => `${name}=${value}`);
    const headers = {...(sent.length > 0 && {cookie: sent.join('; ')}), ...call.headers};
    const answer = await send(url, {...call, headers});
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      const path = /; *path=([^;]+)/i.exec(line)?.[1] ?? '/';
      cookies.set(`${host} ${path} ${name}`, {name, value, path});
    }
    return answer;
  };

  return {
    visit,
    /** Submits the only form of a page, with its own values and the typed ones. */
    async submit(page: Answer, url: string | URL, typed: Record<string, string>): Promise<Answer> {
      const action = attribute(/<form[^>]*>/.exec(page.text)?.[0], 'action');
      const hidden = [...page.text.matchAll(/<input type="hidden"[^>]*>/g)].map(([input]) => [
        attribute(input, 'name'),
        attribute(input, 'value'),
      ]);
      const {origin} = new URL(url);
      // A browser sends the origin of a form (Fetch 3.2).
      return visit(new URL(action, url), {form: {...Object.fromEntries(hidden), ...typed}, headers: {origin}});
    },
  };
};

export type Browser = ReturnType<typeof createBrowser>;

/** Returns the authorization request of a public client, as a URL to open. */
export const authorizationUrl = (
  {authUrl}: SandboxReady,
  parameters: {client_id: string; redirect_uri: string; code_challenge: string} & Record<string, string>,
) => {
  const query = {response_type: 'code', scope: 'openid profile email', state: 'xyz', code_challenge_method: 'S256'};
  return `${authUrl}/oauth2/authorize?${new URLSearchParams({...query, ...parameters})}`;
};

export const cli = {client_id: 'platform-cli', redirect_uri: 'http://127.0.0.1:55152/auth-callback'};

/** Signs a person in at the CLI's authorization request. Returns the last redirect of the browser, and the verifier. */
export const signIn = async (ready: SandboxReady, person: {username: string; password: string}, extra = {}) => {
  const {verifier, challenge} = pkce();
  const browser = createBrowser();
  const start = await browser.visit(authorizationUrl(ready, {...cli, code_challenge: challenge, ...extra}));
  const gate = start.headers.location ?? '';
  const page = await browser.visit(gate);
  const submitted = await browser.submit(page, gate, person);
  const resumed = await browser.visit(submitted.headers.location ?? '');
  return {verifier, callback: new URL(resumed.headers.location ?? '')};
};

/** Exchanges the code of a callback for tokens. */
export const redeem = (
  ready: SandboxReady,
  {verifier, callback}: {verifier: string; callback: URL},
  extra: Record<string, string> = {},
) =>
  send(`${ready.authUrl}/oauth2/token`, {
    form: {
      grant_type: 'authorization_code',
      ...cli,
      code: callback.searchParams.get('code') ?? '',
      code_verifier: verifier,
      ...extra,
    },
  });

/** Exchanges a refresh token of the CLI for new tokens. */
export const refresh = ({authUrl}: SandboxReady, refresh_token: string) =>
  send(`${authUrl}/oauth2/token`, {form: {grant_type: 'refresh_token', client_id: cli.client_id, refresh_token}});

/** Whether a cookie of one path is sent to another (RFC 6265 5.1.4). */
const within = (pathname: string, path: string) =>
  pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`);

const attribute = (tag: string | undefined, name: string) =>
  (new RegExp(` ${name}="([^"]*)"`).exec(tag ?? '')?.[1] ?? '').replaceAll('&amp;', '&');
