import {Box, Text} from 'ink';
import type {Answers} from '../../state/model.ts';
import {signInName} from '../../state/names.ts';

/** What is known of a wizard that was left before its end. */
export function Unfinished({unfinished}: {readonly unfinished: Answers}) {
  const {baseDomain, signIn, clientId} = unfinished;
  const known = [
    ...(baseDomain ? [['Base domain', baseDomain] as const] : []),
    ...(signIn ? [['Sign-in', signInName[signIn]] as const] : []),
    ...(clientId ? [['Client ID', clientId] as const] : []),
  ];
  if (known.length === 0) return null;
  return (
    <Box flexDirection="column" paddingLeft={2}>
      {known.map(([name, value]) => (
        <Text key={name}>
          {name.padEnd(14)}
          {value}
        </Text>
      ))}
    </Box>
  );
}
