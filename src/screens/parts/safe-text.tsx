import {Box, Text as InkText, type TextProps, Transform, useStdout} from 'ink';
import {Children, createContext, Fragment, isValidElement, type ReactNode, useCallback, useContext} from 'react';
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

/**
 * Returns a function that prints text above the frame, on lines that are not wrapped, so that it can be copied whole
 * and an address clicked.
 */
export const usePrint = (): ((text: string) => void) => {
  const {write} = useStdout();
  // Lines of a frame do not wrap (DECAWM is off), but this text may have to.
  return useCallback(text => write(`\u001B[?7h${printable(`\n${text}\n\n`)}\u001B[?7l`), [write]);
};

/** Puts a text where the person can paste it from. Resolves to whether it is known to have arrived. */
export type Clipboard = (text: string) => Promise<boolean>;

const ClipboardContext = createContext<Clipboard>(async () => false);

export const ClipboardProvider = ClipboardContext.Provider;

/** The result of copying. `sent`: the terminal does not say whether it arrived. */
export type Copied = 'copied' | 'sent';

/**
 * Returns a function that copies text to a program that draws the terminal, if there is one, else by OSC 52: the
 * terminal puts it into the clipboard of the person's own machine, over SSH too. No terminal confirms that.
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
