import type {Provider} from 'oidc-provider';
import {formOf, queryOf, type Routes, readBody, sendNothing} from '../http-server.ts';
import type {FlowRules} from '../releases/release.ts';
import type {Applications} from './applications.ts';
import type {Flows} from './flow-execute.ts';
import type {Users} from './initial-applications.ts';
import {signInCookie} from './oidc-provider.ts';
import {cookiesOf, type HtmlPage, html, sendPage, signInForm, wrongCredentials} from './pages.ts';

/**
 * The provider's pages during an authorization: the sign-in page, and the error page for a request that cannot proceed.
 */
export const gateRoutes = ({provider, users, applications, flows, rules}: GateOptions): Routes => {
  const {idMember, challenged} = rules;
  /** Returns the hidden fields that the form carries from one step to the next. */
  const hiddenIn = (flowId: string): Readonly<Record<string, string>> => {
    const flow = challenged ? flows.get(flowId) : undefined;
    const next = flow && flows.answer(flow, {});
    return {[idMember]: flowId, ...(next?.challenge !== undefined && {challengeToken: next.challenge})};
  };
  /** Whether a form is the last one that was shown. */
  const isNext = (flowId: string, form: URLSearchParams) =>
    !challenged || form.get('challengeToken') === flows.get(flowId)?.challenge;
  return {
    '/gate/signin': {
      GET: async (request, response) => {
        const flowId = queryOf(request).get(idMember) ?? '';
        const interaction = await provider.Interaction.find(flowId);
        if (!interaction) return sendPage(response, 400, expired);
        sendPage(response, 200, signInPage(hiddenIn(flowId), destinationOf(interaction.params, applications)));
      },
      POST: async (request, response) => {
        const form = formOf(request, await readBody(request));
        const flowId = form.get(idMember) ?? '';
        const username = form.get('username') ?? '';
        const interaction = await provider.Interaction.find(flowId);
        // Only the browser that began the sign-in may finish it; otherwise it could end in another person's browser
        // (RFC 9700 4.7).
        const begunHere = cookiesOf(request).has(signInCookie(flowId));
        if (!interaction || !begunHere || !isNext(flowId, form)) return sendPage(response, 400, expired);

        const user = users.authenticate(username, form.get('password') ?? '');
        if (typeof user === 'string') {
          const retry = {username, error: wrongCredentials};
          // Not 401, which would have to name an HTTP authentication scheme (RFC 9110 15.5.2); this is a form.
          const destination = destinationOf(interaction.params, applications);
          return sendPage(response, 200, signInPage(hiddenIn(flowId), destination, retry));
        }
        // The empty consent answers the question that the library asks for every native client (RFC 8252 8.6).
        interaction.result = {login: {accountId: user.id, remember: false}, consent: {}};
        await interaction.persist();
        sendNothing(response, 303, {Location: interaction.returnTo, 'Cache-Control': 'no-store'});
      },
    },
    '/gate/error': {
      GET: (request, response) => {
        const query = queryOf(request);
        sendPage(response, 400, errorPage(query.get('errorCode') ?? 'error', query.get('errorMessage') ?? ''));
      },
    },
  };
};

type GateOptions = {
  readonly provider: Provider;
  readonly users: Users;
  readonly applications: Applications;
  readonly flows: Flows;
  readonly rules: FlowRules;
};

type Destination = {
  readonly name: string;
  /** Absent in the device flow, which ends on a page of the provider. */
  readonly redirectUri?: string;
};

type Retry = {readonly username: string; readonly error: string};

const destinationOf = (params: Readonly<Record<string, unknown>>, applications: Applications): Destination => {
  const clientId = String(params.client_id);
  return {
    name: applications.byClientId(clientId)?.name ?? clientId,
    ...(params.redirect_uri !== undefined && {redirectUri: String(params.redirect_uri)}),
  };
};

const signInPage = (
  hidden: Readonly<Record<string, string>>,
  {name, redirectUri}: Destination,
  retry?: Retry,
): HtmlPage => ({
  title: retry ? 'Error: sign in' : 'Sign in',
  formTargets: redirectUri === undefined ? [] : [redirectUri],
  body: signInForm({
    heading: 'Sign in',
    explanation: `to continue to ${name}`,
    action: '/gate/signin',
    hidden,
    ...retry,
  }),
});

const errorPage = (code: string, message: string): HtmlPage => ({
  title: 'Sign-in failed',
  body: html`
<h1>Sign-in failed</h1>
<p>The application that sent you here sent an invalid request.</p>
<p role="alert">${message || 'No reason was given.'} <span>(${code})</span></p>`,
});

const expired: HtmlPage = {
  title: 'Sign-in expired',
  body: html`
<h1>This sign-in has expired</h1>
<p>It took too long, was already completed, or began in another browser.</p>
<p class="muted">Go back to the application and start again.</p>`,
};
