import {Box} from 'ink';
import {useEffect, useState} from 'react';
import {useSize} from './layout/size.tsx';
import {Text} from './text.tsx';
import {unicodeGlyphs, useGlyphs} from './theme.ts';

/** What else stands on a screen with a code in it, in rows. */
const BESIDES = 16;

/**
 * An address as a QR code that a phone can read, where the terminal has room for it and the characters. It is drawn white
 * on black whatever the theme is, since not every reader takes it the other way round.
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

/** The lines of a code, two rows of it in each, with the border that readers want. */
export const qrLines = async (text: string): Promise<readonly string[]> => {
  const {renderUnicodeCompact} = await import('uqr');
  return renderUnicodeCompact(text, {border: 2, ecc: 'L'}).split('\n');
};
