import {useCallback, useState} from 'react';
import {Secret} from '../../domain/secret.ts';
import type {Inbox} from '../../ports/ports.ts';
import {isByPerson, type WizardEvent} from '../../state/events.ts';
import {viewOf} from '../../state/view/view-of.ts';
import type {Wizard} from '../../state/wizard.ts';
import type {Binding} from '../parts/keys.tsx';
import {useInterrupt, useLeave} from '../parts/leave.tsx';
import {type Urgency, useFrames} from '../parts/use-frames.ts';
import {Assistants} from './assistants.tsx';
import {Done} from './done.tsx';
import {createMemory} from './memory.ts';
import {Credentials, Question} from './question.tsx';
import {Review} from './review.tsx';
import {Progress} from './running-step.tsx';
import {Waiting} from './waiting.tsx';

type Props = {
  readonly wizard: Pick<Wizard, 'state' | 'subscribe' | 'dispatch'>;
  /** Sends a message to the running flow. */
  readonly send: Inbox['send'];
  readonly now: () => number;
};

/** Draws the wizard: a screen for each kind of view. */
export function App({wizard, send, now}: Props) {
  const urgencyOf = useCallback((event: WizardEvent) => urgencyIn(wizard, event), [wizard]);
  const state = useFrames(wizard, urgencyOf);
  const leave = useLeave();
  useInterrupt(() => leave('cancelled'));
  const [memory] = useState(createMemory);
  const {dispatch} = wizard;
  const {header, body, key, step, back: before, intro} = viewOf(state, now());
  const back: readonly Binding[] = before ? [{keys: ['esc'], label: 'back', run: () => goBack(before)}] : [];
  const goBack = (event: WizardEvent) => {
    memory.goBack();
    dispatch(event);
  };
  const shared = {header, dispatch, back};
  switch (body.type) {
    case 'question':
      return (
        <Question key={key} {...{...shared, leave, memory}} question={body} name={key} {...(intro ? {intro} : {})} />
      );
    case 'form': {
      const submit = (name: string, secret: string) =>
        dispatch(body.toEvent(name, new Secret(body.secret.read(secret))));
      return <Credentials key={key} header={header} form={body} onSubmit={submit} back={back} />;
    }
    case 'waiting':
      return <Waiting {...shared} view={body} send={send} now={now} />;
    case 'assistants':
      return <Assistants {...shared} view={body} />;
    case 'review':
      return <Review {...shared} view={body} />;
    case 'done':
      return <Done header={header} view={body} leave={() => leave('done', true)} />;
    case 'progress':
      return <Progress header={header} view={body} step={step} back={back} {...(intro ? {intro} : {})} />;
    default:
      return body satisfies never;
  }
}

/**
 * Returns how soon an event is drawn. An action of the person is drawn at once, so that the next key reaches the screen
 * that it was meant for. Mere progress waits for the next frame, but a question does not.
 */
const urgencyIn = ({state}: Pick<Wizard, 'state'>, event: WizardEvent): Urgency => {
  if (isByPerson(event)) return 'now';
  return goingOn.has(event.type) && state().failure === undefined ? 'frame' : 'soon';
};

/** Events that only add a row or a figure to the same screen. */
const goingOn: ReadonlySet<WizardEvent['type']> = new Set([
  ...(['call-started', 'call-answered', 'call-failed', 'source-started', 'source-answered'] as const),
  ...(['probe-started', 'probe-answered', 'health-checked', 'server-checked', 'server-verified'] as const),
  ...(['token-checked', 'assistant-found', 'file-planned', 'file-written'] as const),
]);
