import {Box} from 'ink';
import {useState} from 'react';
import type {WizardState} from '../../state/model.ts';
import type {FormView} from '../../state/view/view.ts';
import type {Binding} from '../parts/keys.tsx';
import {Prose, Warning} from '../parts/prose.tsx';
import {Screen} from '../parts/screen.tsx';
import {NOTHING_TYPED} from '../parts/text-entry/ask-text.tsx';
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
  const [at, setAt] = useState<'name' | 'secret'>(name.isKnown ? 'secret' : 'name');
  const nameField = useTextField(name.isKnown ? name.initial : '', {
    isActive: at === 'name',
    suggestion: name.isKnown || name.initial === '' ? undefined : name.initial,
  });
  const secretField = useTextField('', {secret: true, isActive: at === 'secret'});
  const [typedName, typedSecret] = [nameField.text.trim(), secretField.text];
  const [missing, setMissing] = useState<'name' | 'secret'>();
  const submit = () => {
    const empty = typedName === '' ? 'name' : typedSecret === '' ? 'secret' : undefined;
    // Who leaves the name for the secret has not come to that yet.
    setMissing(empty === at ? empty : undefined);
    if (typedName === '') setAt('name');
    else if (at === 'name' || typedSecret === '') setAt('secret');
    else onSubmit(typedName, typedSecret);
  };
  const isMissing = missing === at && (at === 'name' ? typedName : typedSecret) === '';
  // Tab leads to the secret and never away from it: behind it a password manager types what nobody may see. The name it
  // types before that is known here already.
  const tab = () => {
    if (at === 'secret' && typedSecret === typedName) secretField.put('');
    setAt('secret');
  };
  const bindings: readonly Binding[] = [
    {keys: ['enter'], label: 'continue', run: submit},
    {keys: ['up', 'down', 'shift-tab'], label: 'other field', run: () => setAt(at === 'name' ? 'secret' : 'name')},
    {keys: ['tab'], run: tab},
    ...(at === 'secret'
      ? [{keys: ['ctrl-r'], label: secretField.masked ? 'show' : 'hide', run: secretField.toggleMask}]
      : []),
    ...back,
  ];
  return (
    <Screen state={state} heading={heading} bindings={bindings} typing>
      <Box paddingLeft={2}>
        <Prose>{explanation}</Prose>
      </Box>
      <TextField label={name.label} field={nameField} isActive={at === 'name'} />
      <TextField label={secret.label} field={secretField} isActive={at === 'secret'} />
      {isMissing ? <Warning message={NOTHING_TYPED} /> : null}
    </Screen>
  );
}
