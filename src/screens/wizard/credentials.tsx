import {Box} from 'ink';
import {useRef, useState} from 'react';
import type {WizardState} from '../../state/model.ts';
import type {FormView} from '../../state/view/view.ts';
import type {Binding} from '../parts/keys.tsx';
import {Prose} from '../parts/prose.tsx';
import {Screen} from '../parts/screen.tsx';
import {TextField, useTextField} from '../parts/text-entry/text-field.tsx';

type Props = {
  readonly state: WizardState;
  readonly form: FormView;
  readonly onSubmit: (name: string, secret: string) => void;
  readonly back: readonly Binding[];
};

/** A name and its secret. The secret is masked, and goes to `onSubmit` and nowhere else. */
export function Credentials({state, form, onSubmit, back}: Props) {
  const {heading, explanation, name, secret} = form;
  const [at, setDrawnAt] = useState<'name' | 'secret'>(name.isKnown ? 'secret' : 'name');
  // Keys may come faster than frames, as from a password manager: what counts is which field it is by now.
  const place = useRef(at);
  const setAt = (to: typeof at) => {
    place.current = to;
    setDrawnAt(to);
  };
  const nameField = useTextField(name.initial, {isActive: () => place.current === 'name'});
  const secretField = useTextField('', {secret: true, isActive: () => place.current === 'secret'});
  const submit = () => {
    const [typedName, typedSecret] = [nameField.text().trim(), secretField.text()];
    if (typedName === '') setAt('name');
    else if (place.current === 'name' || typedSecret === '') setAt('secret');
    else onSubmit(typedName, typedSecret);
  };
  const bindings: readonly Binding[] = [
    {keys: ['enter'], label: 'continue', run: submit},
    {keys: ['tab', 'up', 'down'], label: 'other field', run: () => setAt(place.current === 'name' ? 'secret' : 'name')},
    ...(at === 'secret'
      ? [{keys: ['ctrl-r'], label: secretField.masked ? 'show' : 'hide', run: secretField.toggleMask}]
      : []),
    ...back,
  ];
  return (
    <Screen state={state} heading={heading} bindings={bindings} typing>
      <Box paddingLeft={2}>
        <Prose dimColor>{explanation}</Prose>
      </Box>
      <TextField label={name.label} field={nameField} isActive={at === 'name'} />
      <TextField label={secret.label} field={secretField} isActive={at === 'secret'} />
    </Screen>
  );
}
