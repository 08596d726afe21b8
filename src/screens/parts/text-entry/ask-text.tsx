import {useState} from 'react';
import type {WizardState} from '../../../state/model.ts';
import type {Validate} from '../../../state/view/view.ts';
import {Warning} from '../prose.tsx';
import {Screen} from '../screen.tsx';
import {TextField, useTextField} from './text-field.tsx';

type Props = {
  readonly state: WizardState;
  readonly heading: string;
  readonly label: string;
  readonly initial: string;
  /** Whether `initial` is a suggestion that goes away when something is typed, and not a text to be corrected. */
  readonly isSuggested?: boolean;
  /** What became of the lines that `initial` was pasted in. */
  readonly notice?: string | undefined;
  /** Whether `initial` was submitted already, by who opened this. */
  readonly isSubmitted?: boolean;
  /** What is wrong with what was typed. */
  readonly validate?: Validate;
  /** Why what was submitted last was not taken, as far as that is known by now. */
  readonly refusal?: string | undefined;
  readonly onSubmit: (text: string) => void;
  readonly onCancel: () => void;
};

type Submitted = {readonly text: string; readonly why: string | undefined};

/** What is said to Enter where nothing stands. */
export const NOTHING_TYPED = 'Nothing is typed yet.';

/** One question that is answered in words. */
export function AskText({
  state,
  heading,
  label,
  initial,
  isSuggested = false,
  notice,
  isSubmitted = false,
  validate,
  refusal,
  onSubmit,
  onCancel,
}: Props) {
  const field = useTextField(isSuggested ? '' : initial, {
    isReplaced: text => warningFor(text) !== undefined,
    suggestion: isSuggested ? initial : undefined,
    notice,
  });
  const [submitted, setSubmitted] = useState<Submitted | undefined>(
    isSubmitted ? {text: initial, why: undefined} : undefined,
  );
  const submit = () => {
    const text = field.text.trim();
    const why = text === '' ? NOTHING_TYPED : validate?.(text);
    setSubmitted({text, why});
    if (why === undefined) onSubmit(text);
  };
  const warningFor = (text: string) => (submitted?.text === text.trim() ? (submitted.why ?? refusal) : undefined);
  const warning = warningFor(field.text);
  const bindings = [
    {keys: ['enter'], label: 'continue', run: submit},
    {keys: ['esc'], label: 'back', run: onCancel},
  ];
  return (
    <Screen state={state} heading={heading} bindings={bindings} typing>
      <TextField label={label} field={field} />
      {warning === undefined ? null : <Warning message={warning} />}
    </Screen>
  );
}
