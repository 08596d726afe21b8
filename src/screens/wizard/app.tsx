import {useState} from 'react';
import {Secret} from '../../domain/secret.ts';
import type {Inbox} from '../../ports/ports.ts';
import type {WizardEvent} from '../../state/events.ts';
import {viewOf} from '../../state/view/view-of.ts';
import type {Wizard} from '../../state/wizard.ts';
import {useInterrupt} from '../parts/input/use-interrupt.ts';
import type {Binding} from '../parts/keys.tsx';
import {Assistants} from './assistants.tsx';
import {Credentials} from './credentials.tsx';
import {Done} from './done.tsx';
import {useLeave} from './leave.tsx';
import {createMemory} from './memory.ts';
import {Progress} from './progress.tsx';
import {Question} from './question.tsx';
import {Review} from './review.tsx';
import {useWizardState} from './use-wizard-state.ts';
import {Waiting} from './waiting.tsx';

type Props = {
  readonly wizard: Pick<Wizard, 'state' | 'subscribe' | 'dispatch'>;
  /** Says something to the flow that runs. */
  readonly send: Inbox['send'];
  readonly now: () => number;
};

/** The wizard's face: a screen for each kind of view. */
export function App({wizard, send, now}: Props) {
  const state = useWizardState(wizard);
  const leave = useLeave();
  useInterrupt(() => leave('cancelled'));
  const [memory] = useState(createMemory);
  const {dispatch} = wizard;
  const {body, key, step, back: before, intro} = viewOf(state, now());
  const back: readonly Binding[] = before ? [{keys: ['esc'], label: 'back', run: () => goBack(before)}] : [];
  const goBack = (event: WizardEvent) => {
    memory.goBack();
    dispatch(event);
  };
  const shared = {state, dispatch, back};
  switch (body.type) {
    case 'question':
      return (
        <Question key={key} {...{...shared, leave, memory}} question={body} name={key} {...(intro ? {intro} : {})} />
      );
    case 'form': {
      const submit = (name: string, secret: string) =>
        dispatch(body.toEvent(name, new Secret(body.secret.read(secret))));
      return <Credentials key={key} state={state} form={body} onSubmit={submit} back={back} />;
    }
    case 'waiting':
      return <Waiting {...shared} view={body} send={send} now={now} />;
    case 'assistants':
      return <Assistants {...shared} view={body} memory={memory} />;
    case 'review':
      return <Review {...shared} view={body} />;
    case 'done':
      return <Done state={state} view={body} leave={() => leave('done', true)} />;
    case 'progress':
      return <Progress state={state} view={body} step={step} back={back} {...(intro ? {intro} : {})} />;
    default:
      return body satisfies never;
  }
}
