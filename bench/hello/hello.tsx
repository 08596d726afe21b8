import {Box, render, Text, useInput} from 'ink';
import {useState} from 'react';

/** The smallest Ink program that still answers keys: the minimum cost of any wizard on Ink. */
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
