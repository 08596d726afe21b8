import {Box, renderToString} from 'ink';
import {describe, expect, test} from 'vitest';
import {rowsOf} from '../../../src/screens/parts/layout.tsx';
import {Prose} from '../../../src/screens/parts/safe-text.tsx';

/** Returns the number of rows that Ink takes for a text beside the margin. */
const drawn = (text: string, columns: number) => {
  const screen = (
    <Box paddingLeft={2}>
      <Prose>{text}</Prose>
    </Box>
  );
  return renderToString(screen, {columns}).split('\n').length;
};

const texts = [
  '✖ The network sent a page of its own instead of the answer from the server',
  'If no window opened, open the address above this screen yourself.',
  'http://idp.platform.localhost:24400/.well-known/openid-configuration returned a web page (“Network sign-in”).',
  'a',
  '',
  'Listening on http://127.0.0.1:55152/auth-callback',
  'x'.repeat(120),
  `word ${'y'.repeat(77)} and ${'z'.repeat(50)} end`,
];

describe('the rows of a text', () => {
  test.each(texts)('are those that Ink takes, at every width: %s', text => {
    const widths = Array.from({length: 118}, (_, index) => index + 3);
    const differing = widths.filter(columns => rowsOf(text, columns) !== drawn(text, columns));
    expect(differing.map(columns => [columns, rowsOf(text, columns), drawn(text, columns)])).toEqual([]);
  });
});
