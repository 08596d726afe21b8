import {Box, Text} from 'ink';
import {duration} from '../duration.ts';
import type {WizardState} from '../state/model.ts';
import {hasTokenInFile, notesOf, outcomesOf} from '../state/outcome.ts';
import type {ProgressRow} from '../state/progress.ts';
import {showPath} from '../state/show-path.ts';
import {ProgressRows} from './progress.tsx';
import {Screen} from './screen.tsx';

type Props = {
  readonly state: WizardState;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly leave: () => void;
};

/** The end: what answered through what was written, until when, where the files are, and what to say first. */
export function Done({state, now, leave}: Props) {
  const {facts, settings} = state;
  const {token, plan} = facts;
  const outcomes = outcomesOf(state);
  const notes = notesOf(state);
  const rows = outcomes.map(
    ({assistant, path, text}): ProgressRow => ({
      key: `${assistant} ${path}`,
      status: 'ok',
      label: assistant,
      value: text,
    }),
  );
  const heading =
    outcomes.length > 0
      ? 'Done: the servers answer through what was written'
      : `You are signed in as ${token?.account}`;
  const left = token?.expiresAt === undefined ? undefined : duration(token.expiresAt - now);
  return (
    <Screen state={state} heading={heading} bindings={[{keys: ['enter', 'q', 'esc'], label: 'leave', run: leave}]}>
      {rows.length > 0 ? <ProgressRows rows={rows} wraps /> : null}
      {plan ? (
        <Box flexDirection="column" paddingLeft={2}>
          <Text wrap="hard">{settings.demo ? `Files, below ${settings.demo.directory}` : 'Files'}</Text>
          {plan.files.map(({path, change}) => (
            <Text key={path} dimColor wrap="hard">
              {showPath(path, settings)}, {change}
            </Text>
          ))}
        </Box>
      ) : null}
      {notes.length > 0 ? (
        <Box flexDirection="column" paddingLeft={2}>
          {notes.map(note => (
            <Text key={note}>{note}</Text>
          ))}
        </Box>
      ) : null}
      {left && !settings.demo && hasTokenInFile(state) ? (
        <Box paddingLeft={2}>
          <Text>
            The token in these entries is good for {left}. Run <Text bold>npx setup mcp connect</Text> to renew it.
          </Text>
        </Box>
      ) : null}
      {settings.demo || !plan ? null : (
        <Box paddingLeft={2}>
          <Text dimColor>
            Undo everything with <Text bold>npx setup undo</Text>
          </Text>
        </Box>
      )}
      {settings.demo ? (
        <Box paddingLeft={2}>
          <Text dimColor>This was the sandbox, and it ends when you leave. For real: npx setup</Text>
        </Box>
      ) : outcomes.length === 0 ? null : (
        <Box paddingLeft={2}>
          <Text>
            Ask your assistant: <Text bold>Which projects do I have, and is anything failing?</Text>
          </Text>
        </Box>
      )}
    </Screen>
  );
}
