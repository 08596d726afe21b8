import {Box, Text as InkText, type TextProps, Transform, useStdout} from 'ink';
import {
  Children,
  createContext,
  Fragment,
  isValidElement,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useState,
} from 'react';
import {printable} from '../../text.ts';
import {color, useGlyphs} from './theme.ts';

export type {TextProps};

/**
 * Text on a screen without anything that controls the terminal: it often comes from a server or a file. Ink by itself
 * lets colours, hyperlinks, the clipboard sequence (OSC 52) and bidirectional controls pass.
 */
export const Text = ({children, ...props}: TextProps) => (
  <InkText {...props}>{Children.map(children, cleaned)}</InkText>
);

const cleaned = (node: ReactNode): ReactNode => {
  if (typeof node === 'string') return printable(node);
  if (isValidElement<{children?: ReactNode}>(node) && node.type === Fragment)
    return Children.map(node.props.children, cleaned);
  return node;
};

/** Resolves to whether the terminal supports hyperlinks (OSC 8). */
export type HasLinks = () => Promise<boolean>;

const LinksContext = createContext<HasLinks>(async () => false);

export const LinksProvider = LinksContext.Provider;

/** Returns a text as a link to an address. The address has to be linkable, so that nothing in it ends the link. */
const linked = (text: string, address: string) => `\u001B]8;;${address}\u0007${text}\u001B]8;;\u0007`;

/** Whether an address is a web address that may be sent to the terminal: one without blanks, all in printable ASCII. */
const isLinkable = (address: string) => /^https?:\/\/[!-~]+$/.test(address);

/**
 * Returns a function that prints text above the frame, on lines that are not wrapped, so that it can be copied whole
 * and an address clicked. The `address` in it, if there is one, becomes a link where the terminal has links.
 */
export const usePrint = (): ((text: string, address?: string) => void) => {
  const {write} = useStdout();
  const hasLinks = useContext(LinksContext);
  return useCallback(
    (text, address) => {
      // Lines of a frame do not wrap (DECAWM is off), but this text may have to.
      const put = (shown: string) => write(`\u001B[?7h${shown}\u001B[?7l`);
      const shown = printable(`\n${text}\n\n`);
      if (address === undefined || !isLinkable(address)) return put(shown);
      const asLink = () => shown.replaceAll(address, () => linked(address, address));
      void hasLinks().then(has => put(has ? asLink() : shown));
    },
    [write, hasLinks],
  );
};

/** Shows an address on as many lines as it takes, as a link where the terminal supports links. */
export function Link({address}: {readonly address: string}) {
  const hasLinks = useContext(LinksContext);
  const [isLink, setLink] = useState(false);
  useEffect(() => {
    if (isLinkable(address)) void hasLinks().then(setLink);
  }, [address, hasLinks]);
  return (
    <Transform transform={line => (isLink && line.trim() !== '' ? linked(line, address) : line)}>
      <Text wrap="hard">{address}</Text>
    </Transform>
  );
}

/** Puts a text where the person can paste it from. Resolves to whether it is known to have arrived. */
export type Clipboard = (text: string) => Promise<boolean>;

const ClipboardContext = createContext<Clipboard>(async () => false);

export const ClipboardProvider = ClipboardContext.Provider;

/** The result of copying. `sent`: the terminal does not say whether it arrived. */
export type Copied = 'copied' | 'sent';

/**
 * Returns a function that copies text to the clipboard from the context, and by OSC 52 if that does not confirm it:
 * then the terminal puts the text into the clipboard of the person's own machine, over SSH too, but confirms nothing.
 */
export const useCopy = (): ((text: string) => Promise<Copied>) => {
  const {stdout} = useStdout();
  const clipboard = useContext(ClipboardContext);
  return async text => {
    if (await clipboard(text).catch(() => false)) return 'copied';
    stdout.write(`\u001B]52;c;${Buffer.from(text).toString('base64')}\u0007`);
    return 'sent';
  };
};

/** The blank at which a line was broken, after the codes that colour it. */
const broken = /^((?:\u001B\[[\d;]*m)*) (?=\S|\u001B)/;

/**
 * Sentences, wrapped over as many lines as they take. If a line is full to its last column, Ink begins the next one
 * with the blank between two words. That blank is removed.
 */
export function Prose(props: TextProps) {
  // Ink wraps by the outermost text, so a transform around a text that has to be cut would wrap it.
  if (props.wrap !== undefined && props.wrap !== 'wrap') return <Text {...props} />;
  return (
    <Transform transform={(line, index) => (index === 0 ? line : line.replace(broken, '$1'))}>
      <Text {...props} />
    </Transform>
  );
}

/** Shows a sentence that the person should not overlook. */
export function Warning({message}: {readonly message: string}) {
  const {warning} = useGlyphs();
  return (
    <Box paddingLeft={2}>
      <Prose>
        <Text color={color.warning}>{warning}</Text> {message}
      </Prose>
    </Box>
  );
}
