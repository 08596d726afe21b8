import {createHash} from 'node:crypto';
import type {ServerResponse} from 'node:http';
import {type Html, html} from './html.ts';
import {pageStyle} from './page-style.ts';

export type Page = {
  readonly title: string;
  readonly body: Html;
  /** Where forms of the page may lead, redirects included, besides this host itself. */
  readonly formTargets?: readonly string[];
  /** Room for a table instead of a form. */
  readonly wide?: boolean;
};

/** Sends a page. */
export const sendPage = (response: ServerResponse, status: number, page: Page) => {
  const {headers, text} = pageResponse(page);
  response.writeHead(status, {...headers, 'Content-Length': Buffer.byteLength(text)});
  response.end(text);
};

/** A page that needs no script, loads nothing, and is never framed, stored, or told to other sites. */
export const pageResponse = (page: Page) => ({
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy(page),
    'X-Frame-Options': 'DENY',
    'X-Content-Type-Options': 'nosniff',
    // Not `no-referrer`: under it browsers send `Origin: null` with the form, and a foreign origin is refused.
    'Referrer-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  },
  text: documentOf(page).html,
});

const documentOf = ({title, body, wide = false}: Page) => html`<!doctype html>
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

/** Content Security Policy 3. Chromium holds the redirects after a form to `form-action` too, so the client is in it. */
const policy = ({formTargets = []}: Page) =>
  [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    'img-src data:',
    `form-action 'self' ${formTargets.map(sourceOf).join(' ')}`.trimEnd(),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** A redirect URI as a CSP source. Sources cannot say IPv6 addresses or paths of other schemes: those go by scheme. */
const sourceOf = (uri: string) => {
  const {protocol, hostname, origin} = new URL(uri);
  return /^https?:$/.test(protocol) && !hostname.startsWith('[') ? origin : protocol;
};
