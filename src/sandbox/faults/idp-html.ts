import type {Handler} from '../http/handler.ts';
import {html} from '../identity/pages/html.ts';
import {sendPage} from '../identity/pages/page.ts';
import type {Effect} from './effect.ts';

/** What a company's proxy shows whom it does not know yet: a page of its own, as if it were the answer. */
const portal: Handler = (_, response) =>
  sendPage(response, 200, {
    title: 'Network sign-in',
    body: html`
<h1>Network sign-in</h1>
<form method="post" action="/network-sign-in">
<label for="user">User</label>
<input id="user" name="user" autocomplete="username">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password">
<button type="submit">Continue</button>
</form>`,
  });

export const idpHtml: Effect = {before: {'identity-provider': () => portal}};
