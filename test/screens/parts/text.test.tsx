import {Box} from 'ink';
import {render as inkRender} from 'ink-testing-library';
import {Fragment} from 'react';
import {expect, onTestFinished, test} from 'vitest';
import {Prose, Text} from '../../../src/screens/parts/safe-text.tsx';

const poison = '\u001B]52;c;cm0gLXJm\u0007\u001B[31m\u009B2J\u202E\u001B]8;;http://evil.example\u0007';

test('what a server says does nothing to the terminal, however deep it stands', () => {
  const app = inkRender(
    <Box flexDirection="column">
      <Text>one {poison}.</Text>
      <Text>
        two <Text>{[poison, <Fragment key="inner">{poison}</Fragment>]}</Text>.
      </Text>
      <Prose>three {poison}.</Prose>
    </Box>,
  );
  onTestFinished(app.unmount);
  const frame = app.lastFrame() ?? '';
  expect(frame).not.toMatch(/[^\P{C}\n]/u);
  expect(frame).toMatch(/^one .*\ntwo .*\nthree /s);
});
