import {Text as InkText, type TextProps, useStdout} from 'ink';
import {Children, Fragment, isValidElement, type ReactNode, useCallback} from 'react';
import {printable} from '../../text.ts';

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

/** Copies text by OSC 52: the terminal puts it into the clipboard of the machine that the person sits at, over SSH too. */
export const useCopy = (): ((text: string) => void) => {
  const {stdout} = useStdout();
  return text => void stdout.write(`\u001B]52;c;${Buffer.from(text).toString('base64')}\u0007`);
};
