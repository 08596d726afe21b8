import {Box, render, Text, useInput} from 'ink';
import {useState} from 'react';

/** The least that an Ink program can be and still answer keys: what any wizard on Ink has to pay. */
function Hello() {
  const [pressed, setPressed] = useState(0);
  useInput(() => setPressed(count => count + 1));
  return (
    <Box>
      <Text bold>Hello {pressed}</Text>
      <Text dimColor>? keys</Text>
    </Box>
  );
}

render(<Hello />);
