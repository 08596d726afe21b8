import {Box, Transform} from 'ink';
import {Text, type TextProps} from './text.tsx';
import {color, useGlyphs} from './theme.ts';

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
