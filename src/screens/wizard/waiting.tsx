import {Box, usePaste} from 'ink';
import {useCallback, useEffect, useState} from 'react';
import type {Inbox} from '../../ports/ports.ts';
import type {WizardEvent} from '../../state/events.ts';
import type {Action, Header, WaitingView} from '../../state/view/view.ts';
import {type Binding, KeyLine, useKeys} from '../parts/keys.tsx';
import {rowsOf, type ScreenLayout, useFit, useGap} from '../parts/layout.tsx';
import {type Copied, Link, Prose, Text, useCopy, usePrint, Warning} from '../parts/safe-text.tsx';
import {Screen} from '../parts/screen.tsx';
import {useSize} from '../parts/size.tsx';
import {AskText, oneLineOf, useTextClaim} from '../parts/text-field.tsx';
import {unicodeGlyphs, useGlyphs} from '../parts/theme.ts';
import {useInput} from '../parts/use-input.ts';

/** The rows that everything else takes on a screen with a QR code. */
const BESIDES = 16;

/**
 * Shows an address as a QR code for a phone, if the terminal has the room and the characters for it. It is white on
 * black in every theme, because not every reader accepts the inverse.
 */
export function QrCode({address}: {readonly address: string}) {
  const {columns, rows} = useSize();
  const isUnicode = useGlyphs() === unicodeGlyphs;
  const [lines, setLines] = useState<readonly string[]>([]);
  useEffect(() => {
    let isWanted = true;
    void qrLines(address).then(drawn => {
      if (isWanted) setLines(drawn);
    });
    return () => {
      isWanted = false;
    };
  }, [address]);
  const [first = ''] = lines;
  if (!isUnicode || first === '' || first.length + 2 > columns || lines.length + BESIDES > rows) return null;
  return (
    <Box flexDirection="column" paddingLeft={2}>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: Lines of a drawing have no other name.
        <Text key={index} color="white" backgroundColor="black">
          {line}
        </Text>
      ))}
    </Box>
  );
}

/** Returns the lines of a QR code, two of its rows in each, with the border that readers need. */
export const qrLines = async (text: string): Promise<readonly string[]> => {
  const {renderUnicodeCompact} = await import('uqr');
  return renderUnicodeCompact(text, {border: 2, ecc: 'L'}).split('\n');
};

/** Returns the seconds until `until`, counting down. Both parameters are milliseconds since the epoch. */
const useSecondsLeft = (until: number, now: () => number): number => {
  const [at, setAt] = useState(now);
  useEffect(() => {
    const timer = setInterval(() => setAt(now()), 1_000);
    return () => clearInterval(timer);
  }, [now]);
  return Math.max(0, Math.round((until - at) / 1000));
};

/** Returns seconds as `4:41`. */
const minutesOf = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/** Below this many seconds, the wait is extended for a person who is entering the answer. */
const SOON_OVER = 60;

/** Asks for more time whenever little is left while a person enters the answer: the end of the wait would drop it. */
const useMoreTime = (isWanted: boolean, actions: WaitingView['actions'], send: Props['send']): void => {
  const more = actions.flatMap(action =>
    'send' in action && action.send.type === 'more-time' ? [action.send] : [],
  )[0];
  const isNeeded = isWanted && more !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: The message never changes, and is sent once each time.
  useEffect(() => {
    if (isNeeded) send(more);
  }, [isNeeded]);
};

type Props = {
  readonly header: Header;
  readonly view: WaitingView;
  /** Sends a message to the running flow. */
  readonly send: Inbox['send'];
  readonly now: () => number;
  readonly dispatch: (event: WizardEvent) => void;
  readonly back: readonly Binding[];
};

type AnswerAction = Extract<Action, {ask: object}>;

type Asking = {
  readonly action: AnswerAction;
  readonly initial: string;
  readonly isSubmitted: boolean;
  readonly notice?: string | undefined;
};

/** Shows the wait for a person in a browser: where to sign in, the time left, and other ways to bring the answer. */
export function Waiting({header, view, send, now, dispatch, back}: Props) {
  const {waiting, warnings, refusal, actions} = view;
  const gap = useGap();
  const isLow = gap === 0;
  const [asking, setAsking] = useState<Asking>();
  const seconds = useSecondsLeft(waiting.until, now);
  const [isAlone, setAlone] = useState(false);
  const address = useAddress(view, () => setAlone(true));
  const keys = actions.map(action => ({keys: [action.key], label: action.short, run: () => take(action)}));
  const heading = `${view.heading}, ${minutesOf(seconds)} left`;
  const bindings = [...address, ...keys, ...back];
  const layout = useLayoutBelowAddress(header, heading, bindings, view);
  const close = () => setAsking(undefined);
  useMoreTime(asking !== undefined && seconds < SOON_OVER, actions, send);
  const takesAnswer = actions.find(action => 'ask' in action);
  usePastedAddress(asking ? undefined : takesAnswer, (action, pasted, isWhole) => {
    const {text, notice} = oneLineOf(pasted);
    setAsking({action, initial: text, isSubmitted: isWhole, notice});
    if (isWhole) send(action.toMessage(text));
  });
  if (asking) {
    const {action, initial, isSubmitted, notice} = asking;
    const {label} = action.ask;
    const asked = `${action.ask.heading}, ${minutesOf(seconds)} left`;
    // The field stays until the flow continues, so that a refused answer can be corrected.
    const submit = (text: string) => send(action.toMessage(text));
    return (
      <AskText
        {...{header, heading: asked, label, refusal, initial, isSubmitted, notice}}
        onSubmit={submit}
        onCancel={close}
      />
    );
  }
  const take = (action: Action) => {
    if ('send' in action) send(action.send);
    else if ('event' in action) dispatch(action.event);
    else setAsking({action, initial: '', isSubmitted: false});
  };
  // If there are few rows, the code and its address come first: without them the person cannot continue.
  const notices = warnings.map(message => <Warning key={message} message={message} />);
  if (isAlone) {
    const copying = address.filter(({keys: [key]}) => key === 'c');
    return <AddressAlone {...{view, copying}} others={keys} onClose={() => setAlone(false)} />;
  }
  return (
    <Screen {...{header, heading, bindings}} {...(layout ? {layout} : {})}>
      {isLow ? null : notices}
      {waiting.type === 'device-code' ? (
        <Box flexDirection="column" flexShrink={0} paddingLeft={2} rowGap={gap}>
          {isLow ? null : <Text>Open this address on any machine and type the code:</Text>}
          <Link address={waiting.verificationUri} />
          <Text bold>{waiting.userCode}</Text>
          {waiting.complete === undefined || isLow ? null : (
            <>
              <Text>Or open this one, which already contains the code:</Text>
              <Link address={waiting.complete} />
              <QrCode address={waiting.complete} />
            </>
          )}
        </Box>
      ) : (
        <Box flexDirection="column" paddingLeft={2} rowGap={layout?.gap ?? gap}>
          {view.sentences.map(sentence => (
            <Prose key={sentence}>{sentence}</Prose>
          ))}
          <Text>{view.note}</Text>
        </Box>
      )}
      {isLow ? notices : null}
    </Screen>
  );
}

/**
 * Returns the layout with which the whole address stays visible above the screen; undefined if there is no address, or
 * too little room even for the content alone.
 */
const useLayoutBelowAddress = (
  header: Header,
  heading: string,
  bindings: readonly Binding[],
  view: WaitingView,
): ScreenLayout | undefined => {
  const {columns} = useSize();
  const {waiting, sentences, note, warnings} = view;
  const printed = printedAddress(view);
  const lines = printed === undefined ? [] : printed.split('\n');
  // An empty row separates the address from the screen.
  const above = 1 + lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0);
  const texts = [...warnings, ...sentences, note ?? ''];
  const rows = texts.reduce((sum, text) => sum + rowsOf(text, columns), 0);
  const layout = useFit(header, heading, bindings, undefined, above)({rows, parts: texts.length});
  return waiting.type === 'sign-in-waiting' && layout.fits ? layout : undefined;
};

/** Whether a text begins like the address of a web page. Other pasted text is ignored: it may be a secret. */
const isAddress = (text: string) => /^\s*https?:\/\//i.test(text);

/**
 * Handles an address that is pasted without having been asked for.
 *
 * @param action takes the address; undefined while nothing does
 * @param hear `isWhole` is false if the terminal does not mark pastes, so that more of it may follow
 */
const usePastedAddress = (
  action: AnswerAction | undefined,
  hear: (action: AnswerAction, text: string, isWhole: boolean) => void,
): void => {
  const isActive = action !== undefined;
  const take = (text: string, isWhole: boolean) => {
    if (action && isAddress(text)) hear(action, text.trim(), isWhole);
  };
  useTextClaim(text => isActive && isAddress(text));
  usePaste(text => take(text, true), {isActive});
  useInput(input => take(input, false), {isActive});
};

/** A terminal does not confirm what is sent to its clipboard. */
const copyLabels: Readonly<Record<Copied, string>> = {copied: 'copied to tmux', sent: 'sent to the clipboard'};

/** Shows the address of a browser sign-in with only one line below it, so that all of it is on the screen. */
function AddressAlone({view, copying, others, onClose}: AloneProps) {
  usePrintedAddress(view);
  const close: Binding = {keys: ['esc', 'enter', 'a'], label: 'back', run: onClose};
  const closing = others.map(({run, ...binding}) => ({
    ...binding,
    run: () => {
      onClose();
      run();
    },
  }));
  useKeys([close, ...copying, ...closing]);
  return <KeyLine bindings={[close, ...copying]} />;
}

type AloneProps = {
  readonly view: WaitingView;
  readonly copying: readonly Binding[];
  /** The keys of the screen behind this one. Each of them also closes this one. */
  readonly others: readonly Binding[];
  readonly onClose: () => void;
};

/** Returns the address of a browser sign-in, with the command for a tunnel to this machine above it if one is needed. */
const printedAddress = ({waiting, tunnel}: WaitingView): string | undefined =>
  waiting.type === 'sign-in-waiting' ? `${tunnel ? `${tunnel}\n\n` : ''}${waiting.url}` : undefined;

/** Prints the address of a browser sign-in above the frame, where it can be copied whole. */
const usePrintedAddress = (view: WaitingView): void => {
  const print = usePrint();
  const {waiting} = view;
  const url = waiting.type === 'sign-in-waiting' ? waiting.url : undefined;
  const printed = printedAddress(view);
  const show = useCallback(() => {
    if (printed !== undefined) print(printed, url);
  }, [url, printed, print]);
  useEffect(show, [show]);
};

/** Prints the address of a browser sign-in above the frame. Returns the keys that show it alone and copy it. */
const useAddress = (view: WaitingView, showAlone: () => void): readonly Binding[] => {
  const [copied, setCopied] = useState<Copied>();
  const copyText = useCopy();
  usePrintedAddress(view);
  const {waiting} = view;
  const url = waiting.type === 'sign-in-waiting' ? waiting.url : undefined;
  if (url === undefined) return [];
  const copy = () => void copyText(url).then(setCopied);
  return [
    {keys: ['c'], label: 'copy', result: copied && copyLabels[copied], run: copy},
    // The address scrolls away if there are few rows, or after something taller was shown.
    {keys: ['a'], label: 'show only the address', run: showAlone},
  ];
};
