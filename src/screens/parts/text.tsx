import {Box, Text as InkText, type TextProps, Transform, useStdout} from 'ink';
import {Children, createContext, Fragment, isValidElement, type ReactNode, useCallback, useContext} from 'react';
import {printable} from '../../text.ts';
import {color, useGlyphs} from './theme.ts';

export type {TextProps};

/**
 * Text on a screen, of which nothing does anything to the terminal: what is shown is often a server's or a file's. Ink lets
 * colours, hyperlinks, the clipboard sequence (OSC 52) and bidirectional controls pass.
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

/** Prints text above the frame, on lines of its own that nobody wraps: it can be copied whole, and an address clicked. */
export const usePrint = (): ((text: string) => void) => {
  const {write} = useStdout();
  // Lines of a frame do not wrap (DECAWM), and this one may have to.
  return useCallback(text => write(`\u001B[?7h${printable(`\n${text}\n\n`)}\u001B[?7l`), [write]);
};

/** Puts a text where the person can paste it from. Resolves with whether it is known to be there. */
export type Clipboard = (text: string) => Promise<boolean>;

const ClipboardContext = createContext<Clipboard>(async () => false);

export const ClipboardProvider = ClipboardContext.Provider;

/** What became of a text that was to be copied. */
export type Copied = 'copied' | 'sent';

/**
 * Copies text to where a program that draws the terminal keeps it, and else by OSC 52: the terminal puts it into the
 * clipboard of the machine that the person sits at, over SSH too. None answers whether it does.
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

/** A blank at which a line was broken, behind the codes that colour it. */
const broken = /^((?:\u001B\[[\d;]*m)*) (?=\S|\u001B)/;

/**
 * Sentences, over as many lines as they take. Where one fills a line to its last column, Ink begins the next with the
 * blank between two words.
 */
export function Prose(props: TextProps) {
  // Ink wraps by the outermost text, so that a transform around one that is to be cut would wrap it after all.
  if (props.wrap !== undefined && props.wrap !== 'wrap') return <Text {...props} />;
  return (
    <Transform transform={(line, index) => (index === 0 ? line : line.replace(broken, '$1'))}>
      <Text {...props} />
    </Transform>
  );
}

/** A sentence that a person had better not overlook. */
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
