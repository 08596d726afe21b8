import {Box} from 'ink';
import type {Block} from '../../state/view/view.ts';
import {Failure} from './failure.tsx';
import {ProgressRows} from './progress-rows.tsx';
import {Prose, Warning} from './prose.tsx';
import {Text} from './text.tsx';
import {color, useGlyphs} from './theme.ts';

/** What is said before a question. */
export function Blocks({blocks}: {readonly blocks: readonly Block[]}) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of one question never change places.
  return blocks.map((block, index) => <One key={index} block={block} />);
}

function One({block}: {readonly block: Block}) {
  switch (block.type) {
    case 'text':
      return (
        <Box paddingLeft={2}>
          <Prose dimColor={block.tone === 'dim'}>{block.text}</Prose>
        </Box>
      );
    case 'status':
      return block.status === 'warning' ? <Warning message={block.text} /> : <Good text={block.text} />;
    case 'table':
      return <Table rows={block.rows} />;
    case 'rows':
      return <ProgressRows rows={block.rows} />;
    case 'failure':
      return <Failure failure={block} />;
    default:
      return block satisfies never;
  }
}

function Good({text}: {readonly text: string}) {
  const {done} = useGlyphs();
  return (
    <Box paddingLeft={2}>
      <Prose>
        <Text color={color.success}>{done}</Text> {text}
      </Prose>
    </Box>
  );
}

function Table({rows}: {readonly rows: readonly (readonly [string, string])[]}) {
  if (rows.length === 0) return null;
  const width = Math.max(...rows.map(([name]) => name.length)) + 3;
  return (
    <Box flexDirection="column" paddingLeft={2}>
      {rows.map(([name, value]) => (
        <Text key={name} wrap="truncate-middle">
          {name.padEnd(width)}
          {value}
        </Text>
      ))}
    </Box>
  );
}
