import {Box, render, Text, useInput} from 'ink';

/** The least that an Ink program can be and still answer keys: what any wizard on Ink has to pay. */
function Hello() {
  useInput(() => {});
  return (
    <Box>
      <Text bold>Hello</Text>
      <Text dimColor>? keys</Text>
    </Box>
  );
}

render(<Hello />);
