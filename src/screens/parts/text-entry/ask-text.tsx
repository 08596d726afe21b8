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
  /** What is wrong with what was typed. */
  readonly validate?: Validate;
  readonly onSubmit: (text: string) => void;
  readonly onCancel: () => void;
};

/** One question that is answered in words. */
export function AskText({state, heading, label, initial, validate, onSubmit, onCancel}: Props) {
  const field = useTextField(initial);
  const [refused, setRefused] = useState<{readonly text: string; readonly why: string}>();
  const submit = () => {
    const text = field.text().trim();
    if (text === '') return;
    const why = validate?.(text);
    if (why === undefined) onSubmit(text);
    else setRefused({text, why});
  };
  const bindings = [
    {keys: ['enter'], label: 'continue', run: submit},
    {keys: ['esc'], label: 'back', run: onCancel},
  ];
  return (
    <Screen state={state} heading={heading} bindings={bindings} typing>
      <TextField label={label} field={field} />
      {refused && refused.text === field.line.text.trim() ? <Warning message={refused.why} /> : null}
    </Screen>
  );
}
