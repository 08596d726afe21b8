import {Box, Text, useStdout} from 'ink';
import {useCallback, useEffect, useState} from 'react';
import type {FlowEvent} from '../../flows/flow.ts';
import type {BrowserObstacle, Inbox} from '../../ports/ports.ts';
import type {WizardState} from '../../state/model.ts';
import {whyAgain} from '../../state/own-tokens.ts';
import type {WizardEvent} from '../../state/reducer.ts';
import {AskText} from '../parts/ask-text.tsx';
import type {Binding} from '../parts/keys.tsx';
import {Prose, Warning} from '../parts/prose.tsx';
import {Screen} from '../parts/screen.tsx';
import {useTimeLeft} from '../parts/use-time-left.ts';

export type Waiting = Extract<FlowEvent, {type: 'sign-in-waiting'}>;

type Props = {
  readonly state: WizardState;
  readonly waiting: Waiting;
  readonly send: Inbox['send'];
  readonly now: () => number;
  readonly dispatch: (event: WizardEvent) => void;
  readonly back: readonly Binding[];
};

/** The wait for the browser: where to sign in, how long there is, and every other way to bring the answer. */
export function BrowserSignIn({state, waiting, send, now, dispatch, back}: Props) {
  const [isPasting, setPasting] = useState(false);
  const [isCopied, setCopied] = useState(false);
  const {stdout, write} = useStdout();
  const left = useTimeLeft(waiting.until, now);
  const {url} = waiting;
  const why = whyAgain(state);

  // These stand above the frame, on lines of their own that nobody wraps: they can be copied whole, and clicked.
  const tunnel = tunnelFor(state.settings.obstacle, waiting.redirectUri);
  const show = useCallback(() => write(`\n${tunnel ? `${tunnel}\n\n` : ''}${url}\n\n`), [url, tunnel, write]);
  useEffect(show, [show]);

  if (isPasting) {
    const submit = (text: string) => {
      send({type: 'pasted', text});
      setPasting(false);
    };
    return (
      <AskText
        state={state}
        heading="Paste what the browser ended on"
        label={`The whole address (${waiting.redirectUri}?code=…), or the code in it`}
        initial=""
        onSubmit={submit}
        onCancel={() => setPasting(false)}
      />
    );
  }

  const copy = () => {
    // OSC 52: the terminal puts it into the clipboard of the machine that the person sits at, over SSH too.
    stdout.write(`\u001B]52;c;${Buffer.from(url).toString('base64')}\u0007`);
    setCopied(true);
  };
  const bindings: readonly Binding[] = [
    {keys: ['c'], label: isCopied ? 'copied' : 'copy', run: copy},
    // It scrolls away where there are few rows, or when something taller was looked at.
    {keys: ['a'], label: 'address', run: show},
    ...(state.settings.obstacle ? [] : [{keys: ['o'], label: 'open again', run: () => send({type: 'open-again'})}]),
    {keys: ['p'], label: 'paste the answer', run: () => setPasting(true)},
    {keys: ['+'], label: 'more time', run: () => send({type: 'more-time'})},
    ...(waiting.device
      ? [{keys: ['d'], label: 'by a code', run: () => dispatch({type: 'answered', answers: {signInBy: 'device'}})}]
      : []),
    ...back,
  ];
  const refused = state.progress.some(({type}) => type === 'paste-refused');
  const opened = state.progress.findLast(event => event.type === 'browser-opened');
  return (
    <Screen state={state} heading={`Waiting for you in the browser, ${left} left`} bindings={bindings}>
      {why ? <Warning message={why} /> : null}
      <Situation obstacle={state.settings.obstacle} opened={opened?.type === 'browser-opened' && opened.opened} />
      {refused ? (
        <Warning message="What was pasted is not the answer to this sign-in. Copy the whole address." />
      ) : null}
      <Box paddingLeft={2}>
        <Text dimColor>
          {waiting.listening
            ? `Listening on ${waiting.redirectUri}`
            : 'Nothing listens here: press p and paste the answer.'}
        </Text>
      </Box>
    </Screen>
  );
}

/** The line that leads the browser of the person's own machine back to this one. */
const tunnelFor = (obstacle: BrowserObstacle | undefined, redirectUri: string): string | undefined => {
  if (obstacle?.kind !== 'ssh') return undefined;
  const {port} = new URL(redirectUri);
  return `ssh -L ${port}:127.0.0.1:${port} ${obstacle.destination}`;
};

type SituationProps = {readonly obstacle: BrowserObstacle | undefined; readonly opened: boolean};

function Situation({obstacle, opened}: SituationProps) {
  if (obstacle?.kind === 'ssh') {
    const from = obstacle.from ? ` (SSH from ${obstacle.from})` : '';
    return (
      <Box flexDirection="column" paddingLeft={2} rowGap={1}>
        <Prose>This terminal runs on another machine{from}, so no browser is opened here.</Prose>
        <Prose>
          Either run the ssh line above on your own machine, and open the address there; or open it anywhere, sign in,
          and press p to paste the address that the browser ends on.
        </Prose>
      </Box>
    );
  }
  const text = obstacle
    ? `There is no browser ${obstacle.kind === 'container' ? 'in this container' : 'without a display'}. Open the address above anywhere, sign in, and press p to paste the address that the browser ends on.`
    : opened
      ? 'If no window opened, open the address above; a shows it again, c copies it.'
      : 'Open the address above, and sign in there; a shows it again, c copies it.';
  return (
    <Box paddingLeft={2}>
      <Prose>{text}</Prose>
    </Box>
  );
}
