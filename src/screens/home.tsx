import {Box, Text} from 'ink';
import {duration} from '../duration.ts';
import type {SavedSignIn} from '../flows/saved-sign-in.ts';
import type {Context} from '../ports/storage.ts';
import type {Answers, WizardState} from '../state/model.ts';
import {layoutName} from '../state/names.ts';
import type {WizardEvent} from '../state/reducer.ts';
import {ChoiceList, useChoice} from './choice.tsx';
import {Screen} from './screen.tsx';
import {color, useGlyphs} from './theme.ts';

type Props = {
  readonly state: WizardState;
  readonly saved: Context;
  readonly signIn: SavedSignIn;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The answers that go on as before. */
  readonly again: Answers;
  readonly dispatch: (event: WizardEvent) => void;
  readonly leave: () => void;
};

/** Where a person with a saved deployment begins: how it stands, and what to do next. */
export function Home({state, saved, signIn, now, again, dispatch, leave}: Props) {
  const isAlive = signIn.state === 'alive';
  const choice = useChoice(
    [
      ...(isAlive
        ? [
            {
              value: 'renew',
              label: 'Check, and renew the entries',
              hint: 'A valid token in every file that has one.',
            } as const,
          ]
        : [
            {value: 'again', label: 'Look again', hint: 'When the network is back.'} as const,
            {value: 'sign-in', label: 'Sign in again', hint: 'The same deployment, in the same way.'} as const,
          ]),
      {value: 'anew', label: 'Set up anew', hint: 'Another deployment, or another way to sign in.'},
      {value: 'leave', label: 'Leave'},
    ],
    value => {
      if (value === 'leave') leave();
      else if (value === 'again') dispatch({type: 'went-back', to: 'saved-sign-in'});
      else if (value === 'renew' || value === 'sign-in')
        dispatch({type: 'answered', answers: {...again, resume: value}});
      else dispatch({type: 'answered', answers: {resume: 'anew'}});
    },
  );
  return (
    <Screen state={state} heading={`${saved.name} is ${isAlive ? 'connected' : 'saved'}`} bindings={choice.bindings}>
      <Standing signIn={signIn} now={now} />
      <Box flexDirection="column" paddingLeft={2}>
        {rowsOf(saved).map(([name, value]) => (
          <Text key={name} wrap="truncate-middle">
            {name.padEnd(20)}
            {value}
          </Text>
        ))}
      </Box>
      <ChoiceList choice={choice} />
    </Screen>
  );
}

function Standing({signIn, now}: {readonly signIn: SavedSignIn; readonly now: number}) {
  const {done, warning} = useGlyphs();
  if (signIn.state !== 'alive') {
    return (
      <Box paddingLeft={2}>
        <Text color={color.warning}>
          {warning} Your sign-in could not be renewed just now, and is kept. {signIn.message}
        </Text>
      </Box>
    );
  }
  const {account, expiresAt, renewable} = signIn.token;
  const left = expiresAt === undefined ? '' : `, ${duration(expiresAt - now)} left`;
  return (
    <Box paddingLeft={2}>
      <Text>
        <Text color={color.success}>{done}</Text> Signed in as {account}
        {left}
        {renewable ? ', renewed when needed' : ''}
      </Text>
    </Box>
  );
}

const rowsOf = ({baseDomain, layout, controlPlaneUrl, observerUrl, authUrl}: Context) =>
  [
    ['Deployment', `${baseDomain}, ${layoutName[layout]}`],
    ['Control plane', controlPlaneUrl],
    ...(observerUrl ? [['Observer', observerUrl] as const] : []),
    ['Identity provider', authUrl],
  ] as const;
