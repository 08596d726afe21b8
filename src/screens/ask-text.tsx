import {Box} from 'ink';
import {useState} from 'react';
import type {WizardState} from '../state/model.ts';
import {Prose} from './prose.tsx';
import {Screen} from './screen.tsx';
import {TextField, useTextField} from './text-field.tsx';
import {color, useGlyphs} from './theme.ts';

type Props = {
  readonly state: WizardState;
  readonly heading: string;
  readonly label: string;
  readonly initial: string;
  /** What is wrong with what was typed, as a sentence. */
  readonly check?: (text: string) => string | undefined;
  readonly onSubmit: (text: string) => void;
  readonly onCancel: () => void;
};

/** One question that is answered in words. */
export function AskText({state, heading, label, initial, check, onSubmit, onCancel}: Props) {
  const field = useTextField(initial);
  const [refused, setRefused] = useState<{readonly text: string; readonly why: string}>();
  const submit = () => {
    const text = field.text().trim();
    if (text === '') return;
    const why = check?.(text);
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
      {refused && refused.text === field.line.text.trim() ? <Refused why={refused.why} /> : null}
    </Screen>
  );
}

/** Said as long as it stands there as it was refused. */
function Refused({why}: {readonly why: string}) {
  const {warning} = useGlyphs();
  return (
    <Box paddingLeft={2}>
      <Prose color={color.warning}>
        {warning} {why}
      </Prose>
    </Box>
  );
}
