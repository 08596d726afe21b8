import {randomBytes} from 'node:crypto';
import type {IncomingMessage, ServerResponse} from 'node:http';
import {bundled} from '../../platform/platforms.ts';
import {formOf, type Routes, readBody, sendNothing} from '../http-server.ts';
import type {IdentityRelease} from '../releases/release.ts';
import type {Application, Applications} from './applications.ts';
import type {User, Users} from './initial-applications.ts';
import {cookiesOf, type HtmlPage, html, sendPage, signInForm, wrongCredentials} from './pages.ts';

const sessionCookie = 'develop_session';
/** In seconds. */
const sessionLifetime = 3600;

/** The developer portal (platform access 4.1), which shows an administrator the applications and their IDs. */
export const developerPortalRoutes = (
  users: Users,
  applications: Applications,
  {portal: developerPortal}: IdentityRelease,
): Routes => {
  const {signInPage, applicationsPage, cookie} = pagesAt(developerPortal);
  const sessions = new Map<string, {readonly user: User; readonly expiresAt: number}>();

  const signedIn = (request: IncomingMessage) => {
    const session = sessions.get(cookiesOf(request).get(sessionCookie) ?? '');
    return session && session.expiresAt > Date.now() ? session.user : undefined;
  };

  const show = (request: IncomingMessage, response: ServerResponse) => {
    const user = signedIn(request);
    sendPage(response, 200, user ? applicationsPage(user, applications.list()) : signInPage());
  };

  return {
    [developerPortal]: {GET: show},
    [`${developerPortal}/`]: {GET: show},
    [`${developerPortal}/signin`]: {
      POST: async (request, response) => {
        const form = formOf(request, await readBody(request));
        const username = form.get('username') ?? '';
        const user = users.authenticate(username, form.get('password') ?? '');
        if (typeof user === 'string') return sendPage(response, 200, signInPage({username, error: wrongCredentials}));
        if (!user.permissions.includes('system')) {
          const error = 'This account may not administer applications. Sign in as an administrator.';
          return sendPage(response, 200, signInPage({username, error}));
        }
        const id = randomBytes(32).toString('base64url');
        sessions.set(id, {user, expiresAt: Date.now() + sessionLifetime * 1000});
        sendNothing(response, 303, {Location: developerPortal, 'Set-Cookie': cookie(id, sessionLifetime)});
      },
    },
    [`${developerPortal}/signout`]: {
      POST: (request, response) => {
        sessions.delete(cookiesOf(request).get(sessionCookie) ?? '');
        sendNothing(response, 303, {Location: developerPortal, 'Set-Cookie': cookie('', 0)});
      },
    },
  };
};

/** Returns the pages and the cookie of the portal, with links below its path. */
const pagesAt = (developerPortal: string) => {
  /** `SameSite=Strict`, so that no other site can act in the session (RFC 6265bis 5.6.7). */
  const cookie = (value: string, maxAge: number) =>
    `${sessionCookie}=${value}; Path=${developerPortal}; Max-Age=${maxAge}; HttpOnly; SameSite=Strict`;

  const signInPage = (retry?: {username: string; error: string}): HtmlPage => ({
    title: retry ? 'Error: sign in – Developer portal' : 'Sign in – Developer portal',
    body: signInForm({
      heading: 'Developer portal',
      explanation: 'Sign in to see the applications of this platform.',
      action: `${developerPortal}/signin`,
      ...retry,
    }),
  });

  const applicationsPage = (user: User, applications: readonly Application[]): HtmlPage => {
    const sample = applications.find(({clientId}) => clientId === bundled.sampleApplication.clientId);
    return {
      title: 'Applications – Developer portal',
      wide: true,
      body: html`
<div class="bar">
<h1>Applications</h1>
<form method="post" action="${developerPortal}/signout" class="bar">
<span class="muted">Signed in as ${user.username}</span>
<button type="submit" class="quiet">Sign out</button>
</form>
</div>
${sample ? sampleCard(sample) : ''}
<h2 id="all">All applications</h2>
<div class="scroll">
<table aria-labelledby="all">
<thead><tr><th scope="col">Name</th><th scope="col">Application ID</th><th scope="col">Client ID</th></tr></thead>
<tbody>${applications.map(row)}</tbody>
</table>
</div>`,
    };
  };

  return {signInPage, applicationsPage, cookie};
};

const sampleCard = ({name, id}: Application) => html`
<section class="copy" aria-labelledby="sample">
<p id="sample">Application ID of ${name}</p>
<code>${id}</code>
<p class="muted">Click it once to select all of it, then copy.</p>
</section>`;

const row = ({name, id, clientId}: Application) => html`
<tr>
<th scope="row">${name}</th>
<td data-label="Application ID"><code>${id}</code></td>
<td data-label="Client ID"><code>${clientId}</code></td>
</tr>`;
