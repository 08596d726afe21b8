import {createHash} from 'node:crypto';
import type {IncomingMessage, ServerResponse} from 'node:http';

/** Text that is already HTML. Only the `html` tag creates it, except for the style sheet. */
export type Html = {readonly html: string};

type Value = string | Html | readonly Html[];

/** Builds HTML from a template. Every inserted string is escaped, for text and for quoted attributes alike. */
export const html = (parts: TemplateStringsArray, ...values: readonly Value[]): Html => ({
  html: parts.map((part, index) => part + render(values[index] ?? '')).join(''),
});

const render = (value: Value): string => {
  if (typeof value === 'string') return escaped(value);
  return 'html' in value ? value.html : value.map(render).join('');
};

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string) => text.replace(/[&<>"']/g, character => entities[character] ?? character);

/** The style of the provider's pages: system fonts and colours, light and dark, for phones and desktops. */
export const pageStyle = `
:root {
  color-scheme: light dark;
  --canvas: light-dark(#f4f5f7, #14161a);
  --card: light-dark(#ffffff, #1d2026);
  --text: light-dark(#1a1d23, #e8eaed);
  --muted: light-dark(#5a6270, #a3abb8);
  --line: light-dark(#d5d9e0, #383e48);
  --field: light-dark(#ffffff, #14161a);
  --accent: light-dark(#1d4ed8, #8ab4ff);
  --on-accent: light-dark(#ffffff, #0d1524);
  --alarm: light-dark(#a3161f, #ffb3b0);
  --alarm-back: light-dark(#fdecec, #3a1d1f);
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; display: flex; align-items: center; justify-content: center;
  padding: 1.5rem 1rem; background: var(--canvas); color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
main {
  width: 100%; padding: 2rem; background: var(--card);
  border: 1px solid var(--line); border-radius: 0.75rem;
}
.narrow { max-width: 25rem; }
.wide { max-width: 64rem; align-self: flex-start; }
h1 { margin: 0 0 0.25rem; font-size: 1.375rem; line-height: 1.3; }
h2 { margin: 2rem 0 0.5rem; font-size: 1.0625rem; }
p { margin: 0 0 1rem; }
.muted { color: var(--muted); }
label { display: block; margin: 1rem 0 0.25rem; font-weight: 600; }
input {
  width: 100%; padding: 0.625rem 0.75rem; font: inherit; color: inherit;
  background: var(--field); border: 1px solid var(--muted); border-radius: 0.375rem;
}
button {
  width: 100%; margin-top: 1.5rem; padding: 0.6875rem 1rem; font: inherit; font-weight: 600; cursor: pointer;
  color: var(--on-accent); background: var(--accent); border: 1px solid transparent; border-radius: 0.375rem;
}
button.quiet { width: auto; margin: 0; padding: 0.375rem 0.75rem; color: var(--text); background: none; border-color: var(--line); }
button + button.quiet { margin-top: 0.75rem; width: 100%; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
[role="alert"] {
  margin: 1rem 0 0; padding: 0.625rem 0.75rem; color: var(--alarm); background: var(--alarm-back);
  border: 1px solid currentcolor; border-radius: 0.375rem;
}
.bar { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center; justify-content: space-between; }
.copy { margin: 1.5rem 0 0; padding: 1rem; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--canvas); }
.copy p { margin: 0; }
code { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-size: 0.9375em; user-select: all; overflow-wrap: anywhere; }
.copy code { display: block; margin: 0.25rem 0; font-size: 1.125rem; font-weight: 600; }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 0.625rem 0.75rem 0.625rem 0; text-align: start; vertical-align: top; border-bottom: 1px solid var(--line); }
th { font-size: 0.875rem; }
tbody th { font-size: 1rem; }
@media (max-width: 44rem) {
  body { align-items: flex-start; }
  main { padding: 1.5rem 1.25rem; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tr { display: block; padding: 0.75rem 0; border-bottom: 1px solid var(--line); }
  th, td { display: block; padding: 0.125rem 0; border: 0; }
  td[data-label]::before { content: attr(data-label); display: block; color: var(--muted); font-size: 0.875rem; }
  td code { font-size: 0.8125rem; }
}
@media (forced-colors: active) { button { border-color: ButtonText; } }
`;

export type HtmlPage = {
  readonly title: string;
  readonly body: Html;
  /** Other targets of the page's forms besides this host, including targets of redirects. */
  readonly formTargets?: readonly string[];
  /** True for a page that is wide enough for a table, instead of a form. */
  readonly wide?: boolean;
};

/** Sends a page. */
export const sendPage = (response: ServerResponse, status: number, page: HtmlPage) => {
  const {headers, text} = pageResponse(page);
  response.writeHead(status, {...headers, 'Content-Length': Buffer.byteLength(text)});
  response.end(text);
};

/**
 * Returns a page as a response: it needs no script and loads nothing; it may not be framed or stored, and other sites
 * do not learn its address.
 */
export const pageResponse = (page: HtmlPage) => ({
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy(page),
    'X-Frame-Options': 'DENY',
    'X-Content-Type-Options': 'nosniff',
    // Not `no-referrer`: with it, browsers send `Origin: null` with the form, and a foreign origin is refused.
    'Referrer-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  },
  text: documentOf(page).html,
});

const documentOf = ({title, body, wide = false}: HtmlPage) => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${{html: pageStyle}}</style>
</head>
<body>
<main class="${wide ? 'wide' : 'narrow'}">
${body}
</main>
</body>
</html>
`;

const styleHash = createHash('sha256').update(pageStyle).digest('base64');

/**
 * Content Security Policy 3. Chromium applies `form-action` to the redirects after a form too, so it includes the
 * client.
 */
const policy = ({formTargets = []}: HtmlPage) =>
  [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    'img-src data:',
    `form-action 'self' ${formTargets.map(sourceOf).join(' ')}`.trimEnd(),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/**
 * Returns a redirect URI as a CSP source. Sources cannot express IPv6 addresses, or paths of other schemes; the scheme
 * stands for those.
 */
const sourceOf = (uri: string) => {
  const {protocol, hostname, origin} = new URL(uri);
  return /^https?:$/.test(protocol) && !hostname.startsWith('[') ? origin : protocol;
};

export type SignInForm = {
  readonly heading: string;
  readonly explanation: string;
  readonly action: string;
  /** The hidden fields of the form. */
  readonly hidden?: Readonly<Record<string, string>>;
  /** The previous input, for correction. */
  readonly username?: string;
  readonly error?: string;
};

/** Returns the form that asks for a username and a password. */
export const signInForm = ({heading, explanation, action, hidden = {}, username = '', error}: SignInForm): Html => html`
<h1>${heading}</h1>
<p class="muted">${explanation}</p>
${error === undefined ? '' : html`<p role="alert" id="error">${error}</p>`}
<form method="post" action="${action}">
${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<label for="username">Username</label>
<input id="username" name="username" value="${username}" autocomplete="username" autocapitalize="none" spellcheck="false" required${username ? '' : focus}${describedBy(error)}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${username ? focus : ''}${describedBy(error)}>
<button type="submit">Sign in</button>
</form>`;

const focus = html` autofocus`;

const describedBy = (error: string | undefined) =>
  error === undefined ? '' : html` aria-invalid="true" aria-describedby="error"`;

/** One message for a wrong username and for a wrong password, so that it does not reveal which usernames exist. */
export const wrongCredentials = 'Wrong username or password.';

/** Returns the cookies of a request, the first of each name (RFC 6265 5.4). */
export const cookiesOf = (request: IncomingMessage): ReadonlyMap<string, string> => {
  const cookies = new Map<string, string>();
  for (const [name, value] of pairs(request)) if (!cookies.has(name)) cookies.set(name, value);
  return cookies;
};

/** Removes the cookies with these names from a request. */
export const withoutCookies = (request: IncomingMessage, names: readonly string[]) => {
  const rest = pairs(request).filter(([name]) => !names.includes(name));
  if (rest.length > 0) request.headers.cookie = rest.map(pair => pair.join('=')).join('; ');
  else delete request.headers.cookie;
};

const pairs = (request: IncomingMessage): (readonly [name: string, value: string])[] =>
  (request.headers.cookie ?? '')
    .split(';')
    .filter(text => text.indexOf('=') > 0)
    .map(text => {
      const at = text.indexOf('=');
      return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
    });

type CodeForm = {
  /** Ties the form to the browser. */
  readonly secret: string;
  readonly code: string;
};

/** The page that asks for the code that a program shows (RFC 8628 3.3). */
export const codePage = ({secret, code, problem}: CodeForm & {readonly problem?: string | undefined}): HtmlPage => ({
  title: problem === undefined ? 'Connect a device' : 'Error: connect a device',
  body: html`
<h1>Connect a device</h1>
<p class="muted">Enter the code you were shown.</p>
${problem === undefined ? '' : html`<p role="alert" id="error">${problem}</p>`}
<form method="post" action="/device">
<input type="hidden" name="xsrf" value="${secret}">
<label for="user_code">Code</label>
<input id="user_code" name="user_code" value="${code}" autocomplete="off" autocapitalize="characters" spellcheck="false" required autofocus${problem === undefined ? '' : html` aria-invalid="true" aria-describedby="error"`}>
<button type="submit">Continue</button>
</form>`,
});

/**
 * The page on which a person compares codes first: the code may belong to an attacker who sent them here (RFC 8628
 * 5.4).
 */
export const confirmationPage = ({secret, code, client}: CodeForm & {readonly client: string}): HtmlPage => ({
  title: 'Is this your code?',
  body: html`
<h1>Is this your code?</h1>
<p>${client} wants to sign in as you. Continue only if you started this yourself and were shown this code:</p>
<div class="copy"><code>${code}</code></div>
<form method="post" action="/device">
<input type="hidden" name="xsrf" value="${secret}">
<input type="hidden" name="user_code" value="${code}">
<button type="submit" name="confirm" value="yes">Yes, continue</button>
<button type="submit" name="abort" value="yes" class="quiet">No, decline</button>
</form>`,
});

/** The page for a browser that returns without a session, since a form from it would not be accepted. */
export const startAgainPage = (problem: string): HtmlPage => ({
  title: 'Start again',
  body: html`
<h1>Start again</h1>
<p>${problem}</p>
<p><a href="/device">Enter a code</a></p>`,
});

export const donePage = (client: string): HtmlPage => ({
  title: 'Signed in',
  body: html`
<h1>You’re signed in</h1>
<p>${client} is connected. Close this page and return to your terminal.</p>`,
});

export const declinedPage: HtmlPage = {
  title: 'Sign-in declined',
  body: html`
<h1>Sign-in declined</h1>
<p>Nobody was signed in. You can close this page.</p>`,
};
