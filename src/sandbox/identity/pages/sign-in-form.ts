import {type Html, html} from './html.ts';

export type SignInForm = {
  readonly heading: string;
  readonly explanation: string;
  readonly action: string;
  /** What the form carries along unseen. */
  readonly hidden?: Readonly<Record<string, string>>;
  /** What was typed before, to be corrected. */
  readonly username?: string;
  readonly error?: string;
};

/** The form that asks for a username and a password. */
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

/** One message for both, so that nobody learns which usernames exist. */
export const wrongCredentials = 'Wrong username or password.';
