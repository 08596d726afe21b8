import {useApp, useInput} from 'ink';
import {useSyncExternalStore} from 'react';
import type {Inbox} from '../ports/ports.ts';
import type {SecretName} from '../ports/storage.ts';
import {DEFAULT_CLIENT_ID} from '../state/derived.ts';
import type {Answers} from '../state/model.ts';
import {headingOf} from '../state/progress.ts';
import {stepBefore} from '../state/reducer.ts';
import {currentStep} from '../state/steps.ts';
import type {Wizard} from '../state/wizard.ts';
import {BrowserSignIn} from './browser-sign-in.tsx';
import {Credentials} from './credentials.tsx';
import {Deployment} from './deployment.tsx';
import {DeviceSignIn} from './device-sign-in.tsx';
import {Done} from './done.tsx';
import {Failure} from './failure.tsx';
import {Home} from './home.tsx';
import type {Binding} from './keys.tsx';
import {Progress} from './progress.tsx';
import {Review} from './review.tsx';
import {SignIn} from './sign-in.tsx';
import {SignedOut} from './signed-out.tsx';
import {Unfinished} from './unfinished.tsx';

type Props = {
  readonly wizard: Wizard;
  /** Takes a secret that was typed, and keeps it out of the state. */
  readonly keepSecret: (name: SecretName, value: string) => void;
  /** Says something to the flow that runs. */
  readonly send: Inbox['send'];
  readonly now: () => number;
  /** The answers that sign in to the saved context the way it was done before. */
  readonly again: Answers;
};

/** The wizard's face: the screen of the current step. */
export function App({wizard, keepSecret, send, now, again}: Props) {
  const state = useSyncExternalStore(wizard.subscribe, wizard.state);
  const {exit} = useApp();
  useInput((input, key) => {
    if (key.ctrl && input === 'c') exit('cancelled');
  });

  const {answers, facts, failure} = state;
  const {dispatch} = wizard;
  const step = currentStep(state);
  const before = stepBefore(state);
  const back: readonly Binding[] = before
    ? [{keys: ['esc'], label: 'back', run: () => dispatch({type: 'went-back', to: before})}]
    : [];

  if (failure)
    return <Failure state={state} failure={failure} dispatch={dispatch} back={back} leave={() => exit('failed')} />;
  const {saved} = state.settings;
  const {unfinished} = state.settings;
  if (step.id === 'unfinished' && unfinished) {
    return <Unfinished state={state} unfinished={unfinished} dispatch={dispatch} />;
  }
  if (step.id === 'home' && saved && facts.savedSignIn) {
    const shared = {state, saved, again, dispatch, now: now()};
    return <Home {...shared} signIn={facts.savedSignIn} leave={() => exit('done')} />;
  }
  if (step.id === 'signed-out' && saved && facts.savedSignIn?.state === 'ended') {
    const {message} = facts.savedSignIn;
    return (
      <SignedOut
        state={state}
        saved={saved}
        message={message}
        again={again}
        dispatch={dispatch}
        leave={() => exit('cancelled')}
      />
    );
  }
  if (step.id === 'obtain-token') {
    const asked = state.progress.findLast(event => event.type === 'sign-in-waiting' || event.type === 'device-code');
    const shared = {state, now, dispatch, back};
    if (asked?.type === 'sign-in-waiting') return <BrowserSignIn {...shared} waiting={asked} send={send} />;
    if (asked?.type === 'device-code') return <DeviceSignIn {...shared} device={asked} />;
  }
  if (step.id === 'deployment' && facts.deployment) {
    return <Deployment state={state} deployment={facts.deployment} dispatch={dispatch} />;
  }
  if (step.id === 'sign-in') return <SignIn state={state} dispatch={dispatch} back={back} />;
  if (step.id === 'client') {
    return (
      <Credentials
        state={state}
        heading={headingOf.client}
        explanation={
          answers.signIn === 'service-account'
            ? 'A service account sends its secret in the request (client_secret_post).'
            : 'An MCP client sends its secret in the header (client_secret_basic).'
        }
        name={{
          label: 'Client ID',
          initial: answers.clientId ?? (answers.signIn === 'mcp-client' ? DEFAULT_CLIENT_ID : ''),
        }}
        secret={{label: 'Client secret'}}
        onSubmit={(clientId, secret) => {
          keepSecret(answers.signIn === 'service-account' ? 'service-account-secret' : 'mcp-client-secret', secret);
          dispatch({type: 'answered', answers: {clientId, clientEntered: true}});
        }}
        back={back}
      />
    );
  }
  if (step.id === 'admin') {
    return (
      <Credentials
        state={state}
        heading={headingOf.admin}
        explanation="An administrator of the identity provider. The password is sent there once, and kept nowhere."
        name={{label: 'Administrator', initial: answers.adminUsername ?? ''}}
        secret={{label: 'Password'}}
        onSubmit={(adminUsername, password) => {
          keepSecret('admin-password', password);
          dispatch({type: 'answered', answers: {adminUsername, adminEntered: true}});
        }}
        back={back}
      />
    );
  }
  if (step.id === 'review' && facts.plan)
    return <Review state={state} plan={facts.plan} dispatch={dispatch} back={back} />;
  if (step.id === 'done') return <Done state={state} now={now()} leave={() => exit('done')} />;
  return <Progress state={state} back={back} />;
}
