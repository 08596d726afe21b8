import {Box, Text} from 'ink';
import type {Context} from '../../domain/context.ts';
import {duration} from '../../duration.ts';
import type {SavedSignIn} from '../../flows/sign-in/kept/saved-sign-in.ts';
import {layoutName} from '../../state/names.ts';
import {Prose} from '../parts/prose.tsx';
import {color, useGlyphs} from '../parts/theme.ts';

type Props = {
  readonly saved: Context;
  readonly signIn: SavedSignIn;
  /** Milliseconds since the epoch. */
  readonly now: number;
};

/** Where a person with a saved deployment begins: how it stands. */
export function Home({saved, signIn, now}: Props) {
  return (
    <>
      <Standing signIn={signIn} now={now} />
      <Box flexDirection="column" paddingLeft={2}>
        {rowsOf(saved).map(([name, value]) => (
          <Text key={name} wrap="truncate-middle">
            {name.padEnd(20)}
            {value}
          </Text>
        ))}
      </Box>
    </>
  );
}

function Standing({signIn, now}: {readonly signIn: SavedSignIn; readonly now: number}) {
  const {done, warning} = useGlyphs();
  if (signIn.state !== 'alive') {
    return (
      <Box paddingLeft={2}>
        <Prose color={color.warning}>
          {warning} Your sign-in could not be renewed just now, and is kept. {signIn.message}
        </Prose>
      </Box>
    );
  }
  const {account, expiresAt, renewable} = signIn.token;
  const left = expiresAt === undefined ? '' : `, ${duration(expiresAt - now)} left`;
  return (
    <Box paddingLeft={2}>
      <Prose>
        <Text color={color.success}>{done}</Text> Signed in as {account}
        {left}
        {renewable ? ', renewed when needed' : ''}
      </Prose>
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
