import {useStdout} from 'ink';
import {type ReactNode, useState} from 'react';
import type {WizardState} from '../../state/model.ts';
import type {Question as Asked, Offer} from '../../state/questions.ts';
import type {WizardEvent} from '../../state/reducer.ts';
import {AskText} from '../parts/ask-text.tsx';
import {ChoiceList, useChoice} from '../parts/choice.tsx';
import type {Binding} from '../parts/keys.tsx';
import {Screen} from '../parts/screen.tsx';

export type Leave = (how: 'done' | 'cancelled' | 'failed' | 'diagnose') => void;

type Props = {
  readonly state: WizardState;
  readonly question: Asked;
  readonly dispatch: (event: WizardEvent) => void;
  readonly leave: Leave;
  /** Keys besides those of the choice. */
  readonly bindings?: readonly Binding[];
  /** What stands in the place of the heading, when that is more than the question's own. */
  readonly heading?: string;
  /** The control plane values that belong to an offer. */
  readonly valuesOf?: (at: number) => string | undefined;
  /** What is said below the offers, for the one that is pointed at. */
  readonly below?: (at: number) => ReactNode;
  /** Lines that belong to what is asked, to be printed so that they can be copied. */
  readonly printable?: string;
  readonly children?: ReactNode;
};

/** A question with its offers. What an offer wants to know first, a word or which one, is asked on a screen of its own. */
export function Question({
  state,
  question,
  dispatch,
  leave,
  bindings = [],
  heading = question.heading,
  valuesOf,
  below,
  printable,
  children,
}: Props) {
  const {write} = useStdout();
  const [inner, setInner] = useState<Offer>();
  const take = (offer: Offer) => {
    if ('event' in offer) dispatch(offer.event);
    else if ('leave' in offer) leave(offer.leave);
    else setInner(offer);
  };
  const options = question.offers.map(offer => ({value: offer, label: offer.label, ...hintOf(offer)}));
  const choice = useChoice(options, take, question.initial);
  const close = () => setInner(undefined);
  if (inner && 'ask' in inner) {
    return (
      <AskText
        state={state}
        heading={inner.label}
        label={inner.ask}
        initial={inner.initial}
        {...(inner.check ? {check: inner.check} : {})}
        onCancel={close}
        onSubmit={text => dispatch(inner.toEvent(text))}
      />
    );
  }
  if (inner && 'which' in inner) {
    const back: Binding = {keys: ['esc'], label: 'back', run: close};
    const asked: Asked = {heading: inner.which, offers: inner.offers, initial: 0};
    return <Question state={state} question={asked} dispatch={dispatch} leave={leave} bindings={[back]} />;
  }
  const print: readonly Binding[] =
    printable === undefined
      ? []
      : // Above the frame, on lines of their own that nobody indents or wraps.
        [{keys: ['p'], label: 'print, to copy', run: () => write(`\n${printable}\n\n`)}];
  const values = valuesOf?.(choice.at);
  return (
    <Screen
      state={state}
      heading={heading}
      bindings={[...choice.bindings, ...print, ...bindings]}
      {...(values === undefined ? {} : {values})}
    >
      {children}
      <ChoiceList choice={choice} />
      {below?.(choice.at)}
    </Screen>
  );
}

const hintOf = ({hint}: Offer) => (hint === undefined ? {} : {hint});
