import type {WizardState} from '../state/model.ts';
import {Screen} from './screen.tsx';
import {TextField, useTextField} from './text-field.tsx';

type Props = {
  readonly state: WizardState;
  readonly heading: string;
  readonly label: string;
  readonly initial: string;
  readonly onSubmit: (text: string) => void;
  readonly onCancel: () => void;
};

/** One question that is answered in words. */
export function AskText({state, heading, label, initial, onSubmit, onCancel}: Props) {
  const field = useTextField(initial);
  const submit = () => {
    const text = field.line.text.trim();
    if (text !== '') onSubmit(text);
  };
  const bindings = [
    {keys: ['enter'], label: 'continue', run: submit},
    {keys: ['esc'], label: 'back', run: onCancel},
  ];
  return (
    <Screen state={state} heading={heading} bindings={bindings} typing>
      <TextField label={label} field={field} />
    </Screen>
  );
}
