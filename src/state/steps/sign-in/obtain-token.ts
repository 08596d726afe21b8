import {PORT_TIME} from '../../../flows/time-limits.ts';
import {CALL_TIMEOUT} from '../../../ports/ports.ts';
import {guideOnRequest} from '../../derived/guide-on-request.ts';
import {secretSource} from '../../derived/last-sign-in.ts';
import {asksOf, clientIdOf, clientSecretOf, methodOf, personWay, secondSignIn} from '../../derived/wizard-context.ts';
import {deploymentOf, isResumed, isSignedIn, platformOf, savedOf} from '../../derived/wizard-deployment.ts';
import type {WizardState} from '../../model.ts';
import {learns, ok, type RunStep, silent, waiting} from '../../step.ts';
import {serverName} from '../../view/names.ts';
import {browserRecovery, pasteRefusal, waitingFor} from './person-sign-in.ts';

/** Signs in, in the chosen way. */
export const obtainToken = {
  id: 'obtain-token',
  stage: 'sign-in',
  kind: 'run',
  title: 'Signing in',
  done: ({facts}) => facts.token !== undefined,
  forgets: learns('token', 'cliClient', 'serverTokens'),
  // The servers find out only from a token that other scopes or another level are needed.
  reopenedBy: ['scopes', 'level', 'signInAnew'],
  run: async (state, run) => {
    // A run that continues a sign-in only needs a valid token.
    if (isSignedIn(state)) {
      const {resumeSignIn} = await import('../../../flows/sign-in/resume-sign-in.ts');
      return await resumeSignIn(savedOf(state.settings), run);
    }
    const {issuer, controlPlaneUrl} = deploymentOf(state);
    const deployment = {platform: platformOf(state), controlPlaneUrl, issuer, requested: asksOf(state)};
    const method = methodOf(state);
    if (method !== 'browser') {
      const from = secretSource(state, state.answers);
      if (from && !state.facts.client) run.tell({type: 'secret-taken', clientId: clientIdOf(state), from});
      const named = {clientId: clientIdOf(state), method, secret: clientSecretOf(state)};
      const {signInClient} = await import('../../../flows/sign-in/client-credentials.ts');
      const {client, token} = await signInClient({...deployment, ...named}, run);
      return {cliClient: client, token};
    }
    const {clientId} = state.answers;
    const {code} = state.settings;
    const saved = isResumed(state) ? state.settings.saved : undefined;
    const input = {
      ...deployment,
      ...personWay(state),
      ...(clientId === undefined ? {} : {clientId}),
      ...(saved ? {again: saved} : {}),
      ...(code ? {code} : {}),
    };
    const {signInPerson} = await import('../../../flows/sign-in/sign-in-person.ts');
    const {client, token} = await signInPerson(input, run);
    return {cliClient: client, token};
  },
  pendingRows: () => [waiting('token', 'Access token', CALL_TIMEOUT)],
  waitingView: waitingFor,
  recovery: (state, failure) => ({
    ...browserRecovery(state, failure),
    // The client for people may have to be registered first.
    ...(state.answers.signIn === 'browser' ? {guide: guideOnRequest(state)} : {}),
  }),
  // A saved sign-in that turns out to have ended gets no receipt.
  receipts: state => {
    const {token} = state.facts;
    return token && state.failure?.code !== 'auth-sign-in-required'
      ? [{label: 'Signed in', text: `as ${token.account}${whenCreated(state)}`}]
      : [];
  },
  eventTexts: {
    'secret-taken': {line: ({clientId, from}) => `Client ${clientId}, with the secret from ${from}`},
    'cli-client-found': silent,
    'second-sign-in': {line: ({resource}) => secondSignIn(resource)},
    'sign-in-waiting': {line: ({url}) => `Open this address in a browser and sign in:\n\n${url}\n`},
    'port-awaited': {
      row: ({port}) => waiting('port', `Port ${port}`, PORT_TIME, 'briefly held by a closed connection. Retrying…'),
      line: ({port}) => `Port ${port} is briefly held by a closed connection. Retrying…`,
    },
    'browser-opened': silent,
    'device-code': {
      line: ({verificationUri, userCode, complete}) => {
        const whole =
          complete === undefined ? '' : `\nOr open this address, which already contains the code:\n\n${complete}\n`;
        return `Open ${verificationUri} on any machine and type the code:\n\n${userCode}\n${whole}`;
      },
    },
    'paste-refused': {line: pasteRefusal},
    'token-obtained': {
      row: ({account, server}) =>
        ok('token', 'Access token', `for ${account}${server === undefined ? '' : `, ${serverName[server]}`}`),
      line: ({account, server}) => `Signed in as ${account}${server === undefined ? '' : ` (${serverName[server]})`}`,
    },
  },
} satisfies RunStep;

/** Says since when there is the client that this program created, or its secret; empty for any other sign-in. */
const whenCreated = ({facts: {client}, created}: WizardState): string => {
  if (!client) return '';
  if (client.isReset) return ', with a new secret';
  return created.includes(client.clientId) ? ', created just now' : ', created earlier';
};
