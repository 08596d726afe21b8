import {html} from './html.ts';
import type {Page} from './page.ts';

type CodeForm = {
  /** What ties the form to the browser. */
  readonly secret: string;
  readonly code: string;
};

/** Asks for the code that a program shows (RFC 8628 3.3). */
export const codePage = ({secret, code, problem}: CodeForm & {readonly problem?: string | undefined}): Page => ({
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

/** Lets a person compare codes first: the code may be that of somebody who sent them here (RFC 8628 5.4). */
export const confirmationPage = ({secret, code, client}: CodeForm & {readonly client: string}): Page => ({
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

/** For whoever comes back without a session, as no form would be taken from them. */
export const startAgainPage = (problem: string): Page => ({
  title: 'Start again',
  body: html`
<h1>Start again</h1>
<p>${problem}</p>
<p><a href="/device">Enter a code</a></p>`,
});

export const donePage = (client: string): Page => ({
  title: 'Signed in',
  body: html`
<h1>You’re signed in</h1>
<p>${client} is connected. Close this page and return to your terminal.</p>`,
});

export const declinedPage: Page = {
  title: 'Sign-in declined',
  body: html`
<h1>Sign-in declined</h1>
<p>Nobody was signed in. You can close this page.</p>`,
};
