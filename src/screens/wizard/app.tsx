import {Box, useInput} from 'ink';
import type {ReactNode} from 'react';
import type {SecretName} from '../../domain/secret-names.ts';
import type {Inbox} from '../../ports/ports.ts';
import {clientValuesOf} from '../../state/derived.ts';
import type {WizardState} from '../../state/model.ts';
import {aboutSignIn, formOf, questionOf, waysIn} from '../../state/questions.ts';
import {stepBefore} from '../../state/reducer.ts';
import {currentStep} from '../../state/steps.ts';
import type {Wizard} from '../../state/wizard.ts';
import type {Binding} from '../parts/keys.tsx';
import {Prose} from '../parts/prose.tsx';
import {useGlyphs} from '../parts/theme.ts';
import {Assistants} from './assistants.tsx';
import {BrowserSignIn} from './browser-sign-in.tsx';
import {Credentials} from './credentials.tsx';
import {Deployment} from './deployment.tsx';
import {DeviceSignIn} from './device-sign-in.tsx';
import {Done} from './done.tsx';
import {Failure} from './failure.tsx';
import {Home} from './home.tsx';
import {useLeave} from './leave.tsx';
import {Progress} from './progress.tsx';
import {Question} from './question.tsx';
import {Review} from './review.tsx';
import {Unfinished} from './unfinished.tsx';
import {useWizardState} from './use-wizard-state.ts';

type Props = {
  readonly wizard: Wizard;
  /** Takes a secret that was typed, and keeps it out of the state. */
  readonly keepSecret: (name: SecretName, value: string) => void;
  /** Says something to the flow that runs. */
  readonly send: Inbox['send'];
  readonly now: () => number;
};

/** The wizard's face: the screen of the current step. */
export function App({wizard, keepSecret, send, now}: Props) {
  const state = useWizardState(wizard);
  const leave = useLeave();
  const {failed} = useGlyphs();
  useInput((input, key) => {
    if (key.ctrl && input === 'c') leave('cancelled');
  });

  const {facts, failure} = state;
  const {dispatch} = wizard;
  const step = currentStep(state);
  const before = stepBefore(state);
  const back: readonly Binding[] = before
    ? [{keys: ['esc'], label: 'back', run: () => dispatch({type: 'went-back', to: before})}]
    : [];

  const question = questionOf(state);
  if (question) {
    return (
      <Question
        // Another question begins at its own first offer.
        key={`${step.id} ${failure?.code ?? ''}`}
        state={state}
        question={question}
        dispatch={dispatch}
        leave={leave}
        bindings={before && (failure || step.id === 'sign-in' || step.id === 'own-cli') ? back : []}
        {...(question.isTrouble ? {heading: `${failed} ${question.heading}`} : {})}
        {...(failure?.block === undefined ? {} : {printable: failure.block})}
        {...(isForPeople(state) ? {valuesOf: at => valuesAt(state, at)} : {})}
        {...(step.id === 'sign-in' && !failure
          ? {below: at => <About text={aboutSignIn(state, wayAt(state, at))} />}
          : {})}
      >
        {aboutQuestion(state, now())}
      </Question>
    );
  }
  const form = formOf(state);
  if (form) {
    const submit = (name: string, secret: string) => {
      keepSecret(form.secret.keptAs, form.secret.read(secret));
      dispatch(form.toEvent(name));
    };
    return <Credentials state={state} form={form} onSubmit={submit} back={back} />;
  }
  if (step.id === 'obtain-token' || step.id === 'own-token') {
    const asked = state.progress.findLast(event => event.type === 'sign-in-waiting' || event.type === 'device-code');
    const shared = {state, now, dispatch, back};
    if (asked?.type === 'sign-in-waiting') return <BrowserSignIn {...shared} waiting={asked} send={send} />;
    if (asked?.type === 'device-code') return <DeviceSignIn {...shared} device={asked} />;
  }
  if (step.id === 'assistants') return <Assistants state={state} now={now()} dispatch={dispatch} back={back} />;
  if (step.id === 'review' && facts.plan)
    return <Review state={state} plan={facts.plan} dispatch={dispatch} back={back} />;
  if (step.id === 'done') return <Done state={state} now={now()} leave={() => leave('done')} />;
  return <Progress state={state} back={back} />;
}

/** What a person wants to see before answering, question by question. */
const aboutQuestion = (state: WizardState, now: number): ReactNode => {
  const {failure, facts, settings} = state;
  const {saved, unfinished} = settings;
  if (failure) return <Failure state={state} failure={failure} />;
  switch (currentStep(state).id) {
    case 'unfinished':
      return unfinished ? <Unfinished unfinished={unfinished} /> : null;
    case 'home':
      return saved && facts.savedSignIn ? <Home saved={saved} signIn={facts.savedSignIn} now={now} /> : null;
    case 'signed-out':
      // The heading has said whose sign-in it is.
      return facts.savedSignIn?.state === 'ended' ? (
        <About text={facts.savedSignIn.message.replace(/^Your sign-in to .*? has ended: /, '')} plain />
      ) : null;
    case 'deployment':
      return facts.deployment ? <Deployment state={state} deployment={facts.deployment} /> : null;
    default:
      return null;
  }
};

const wayAt = (state: WizardState, at: number) => waysIn(state)[at]?.signIn;

/** Where a client for people is to be registered, the values for it are a key away. */
const isForPeople = (state: WizardState) =>
  state.failure
    ? state.failure.step === 'obtain-token' && state.answers.signIn === 'browser'
    : currentStep(state).id === 'sign-in';

const valuesAt = (state: WizardState, at: number) =>
  state.failure || wayAt(state, at) === 'browser' ? clientValuesOf(state) : undefined;

function About({text, plain = false}: {readonly text: string; readonly plain?: boolean}) {
  return (
    <Box paddingLeft={2}>
      <Prose dimColor={!plain}>{text}</Prose>
    </Box>
  );
}
