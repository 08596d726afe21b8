import {Box} from 'ink';
import {useCallback, useEffect, useState} from 'react';
import type {Inbox} from '../../ports/ports.ts';
import type {WizardEvent} from '../../state/events.ts';
import type {WizardState} from '../../state/model.ts';
import type {Action, WaitingView} from '../../state/view/view.ts';
import type {Binding} from '../parts/keys.tsx';
import {Prose, Warning} from '../parts/prose.tsx';
import {QrCode} from '../parts/qr-code.tsx';
import {Screen} from '../parts/screen.tsx';
import {Text, useCopy, usePrint} from '../parts/text.tsx';
import {AskText} from '../parts/text-entry/ask-text.tsx';
import {useTimeLeft} from '../parts/use-time-left.ts';

type Props = {
  readonly state: WizardState;
  readonly view: WaitingView;
  /** Says something to the flow that runs. */
  readonly send: Inbox['send'];
  readonly now: () => number;
  readonly dispatch: (event: WizardEvent) => void;
  readonly back: readonly Binding[];
};

/** The wait for a person in a browser: where to sign in, how long there is, and every other way to bring the answer. */
export function Waiting({state, view, send, now, dispatch, back}: Props) {
  const {waiting, warnings, refusal, actions} = view;
  const [asking, setAsking] = useState<Extract<Action, {ask: object}>>();
  const left = useTimeLeft(waiting.until, now);
  const address = useAddress(view);
  const close = () => setAsking(undefined);
  if (asking) {
    const {heading, label} = asking.ask;
    // The field stays until the flow goes on: what was refused can be corrected.
    const submit = (text: string) => send(asking.toMessage(text));
    return <AskText {...{state, heading, label, refusal}} initial="" onSubmit={submit} onCancel={close} />;
  }
  const take = (action: Action) => {
    if ('send' in action) send(action.send);
    else if ('event' in action) dispatch(action.event);
    else setAsking(action);
  };
  const keys = actions.map(action => ({keys: [action.key], label: action.short, run: () => take(action)}));
  return (
    <Screen state={state} heading={`${view.heading}, ${left} left`} bindings={[...address, ...keys, ...back]}>
      {warnings.map(message => (
        <Warning key={message} message={message} />
      ))}
      {waiting.type === 'device-code' ? (
        <Box flexDirection="column" paddingLeft={2} rowGap={1}>
          <Text>Open this address on any machine and type the code:</Text>
          <Text wrap="hard">{waiting.verificationUri}</Text>
          <Text bold>{waiting.userCode}</Text>
          {waiting.complete === undefined ? null : (
            <>
              <Text>Or open this one, which already contains the code:</Text>
              <Text wrap="hard">{waiting.complete}</Text>
              <QrCode address={waiting.complete} />
            </>
          )}
        </Box>
      ) : (
        <Box flexDirection="column" paddingLeft={2} rowGap={1}>
          {view.sentences.map(sentence => (
            <Prose key={sentence}>{sentence}</Prose>
          ))}
          <Text dimColor>{view.note}</Text>
        </Box>
      )}
    </Screen>
  );
}

/** Shows the address of a browser sign-in above the frame. The keys show it again, and copy it. */
const useAddress = ({waiting, tunnel}: WaitingView): readonly Binding[] => {
  const [isCopied, setCopied] = useState(false);
  const print = usePrint();
  const copyText = useCopy();
  const url = waiting.type === 'sign-in-waiting' ? waiting.url : undefined;
  const show = useCallback(() => {
    if (url !== undefined) print(`${tunnel ? `${tunnel}\n\n` : ''}${url}`);
  }, [url, tunnel, print]);
  useEffect(show, [show]);
  if (url === undefined) return [];
  const copy = () => {
    copyText(url);
    setCopied(true);
  };
  return [
    {keys: ['c'], label: isCopied ? 'copied' : 'copy', run: copy},
    // It scrolls away where there are few rows, or when something taller was looked at.
    {keys: ['a'], label: 'show address', run: show},
  ];
};
