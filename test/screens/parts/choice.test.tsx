import {Box} from 'ink';
import {describe, expect, test, vi} from 'vitest';
import {ChoiceList, type Option, useChoice} from '../../../src/screens/parts/choice.tsx';
import {KeyLine, useKeys} from '../../../src/screens/parts/keys.tsx';
import {useInterrupt} from '../../../src/screens/parts/leave.tsx';
import {render} from '../../support/render.tsx';

const options: readonly Option<string>[] = [
  {value: 'one', label: 'One thing', hint: 'said at length, as there is much to say of it'},
  {value: 'two', label: 'Another'},
  {value: 'three', label: 'The last', hint: 'short'},
];

const down = '\u001B[B';

type Props = {
  readonly given?: readonly Option<string>[];
  readonly initial?: number;
  readonly isPending?: boolean;
  readonly onChoose: (value: string) => void;
};

function Asked({given = options, initial = 0, isPending = false, onChoose}: Props) {
  const choice = useChoice(given, onChoose, {initial, isPending});
  useInterrupt(() => {});
  useKeys(choice.bindings);
  return (
    <Box flexDirection="column">
      <ChoiceList choice={choice} />
      <KeyLine bindings={choice.bindings} />
    </Box>
  );
}

const ask = (props: Omit<Props, 'onChoose'> = {}, columns = 80) => {
  const onChoose = vi.fn<(value: string) => void>();
  return {...render(<Asked {...props} onChoose={onChoose} />, {columns}), onChoose};
};

const chosen = async ({onChoose}: ReturnType<typeof ask>) => {
  await vi.waitFor(() => expect(onChoose).toHaveBeenCalledOnce());
  return onChoose.mock.lastCall?.[0];
};

describe('a choice', () => {
  test('stands at the offer that it begins with', () => {
    expect(ask({initial: 2}).frame()).toContain('❯ The last    short');
  });

  test.each([
    ['two arrows', `${down}${down}`],
    ['two letters', 'jj'],
    ['an arrow past the first', '\u001B[A'],
  ])('goes two down by %s in one piece', async (_name, keys) => {
    const screen = ask();
    screen.press(keys);
    await screen.shows('❯ The last');
  });

  test.each([
    ['two letters and Enter', 'jj\r', 'three'],
    ['a letter, an arrow and Enter', `j${down}\r`, 'three'],
    ['End and Enter', '\u001B[F\r', 'three'],
    ['arrows to and fro, and Enter', `${down}${down}\u001B[A\r`, 'two'],
    ['a letter that is no key, and Enter', 'x\r', 'one'],
  ])('takes what %s in one piece lead to', async (_name, keys, value) => {
    const screen = ask();
    screen.press(keys);
    expect(await chosen(screen)).toBe(value);
  });

  test('is made by a number before the Enter that comes with it', async () => {
    const screen = ask();
    screen.press('3\r');
    await vi.waitFor(() => expect(screen.onChoose).toHaveBeenCalledTimes(2));
    // The list stays in this test, while a wizard would go on: Enter takes what the number has chosen.
    expect(screen.onChoose.mock.calls).toEqual([['three'], ['three']]);
  });

  test.each(['\u001B[200~3\u001B[201~', '\u001B[200~jj\r\u001B[201~', '\u001B[<0;3;3M', '\u001B]11;rgb:3/3/3\u0007'])(
    'is left alone by %j',
    async sent => {
      const screen = ask();
      screen.press(`${sent}${down}`);
      await screen.shows('❯ Another');
      expect(screen.onChoose).not.toHaveBeenCalled();
    },
  );

  test('takes what an arrow in the same piece moved to', async () => {
    const screen = ask();
    screen.press(`${down}\r`);
    expect(await chosen(screen)).toBe('two');
  });

  test.each([
    ['a number', '3', 'three'],
    ['Enter of a terminal that still cooks its lines', '\n', 'one'],
  ])('is made by %s', async (_name, key, value) => {
    const screen = ask();
    screen.press(key);
    expect(await chosen(screen)).toBe(value);
  });

  const urgent = {value: 'urgent', label: 'The urgent thing'};

  test('stands at an offer that comes first with the answer that was pending', async () => {
    const onChoose = vi.fn<(value: string) => void>();
    const screen = render(<Asked isPending onChoose={onChoose} />);
    await screen.shows('❯ One thing');
    screen.rerender(<Asked given={[urgent, ...options]} onChoose={onChoose} />);
    await screen.shows('❯ The urgent thing');
    // The wait is over: what comes later does not move the pointer.
    screen.rerender(<Asked given={[{value: 'late', label: 'A late one'}, urgent]} onChoose={onChoose} />);
    await screen.shows('A late one');
    expect(screen.frame()).toContain('❯ The urgent thing');
  });

  test('stays with the offer that the person moved to, although an answer is pending', async () => {
    const onChoose = vi.fn<(value: string) => void>();
    const screen = render(<Asked isPending onChoose={onChoose} />);
    screen.press('j');
    await screen.shows('❯ Another');
    screen.rerender(<Asked given={[urgent, ...options]} onChoose={onChoose} />);
    await screen.shows('The urgent thing');
    expect(screen.frame()).toContain('❯ Another');
  });

  test('stays in reach when there are fewer offers', async () => {
    const screen = ask({initial: 9});
    await screen.shows('❯ The last');
    screen.press('enter');
    expect(await chosen(screen)).toBe('three');
  });
});

test.each([
  [40, '❯ One thing\n    said at length, as there is much to\n    say of it\n    Another\n    The last'],
  [80, '❯ One thing   said at length, as there is much to say of it\n    Another\n    The last    short'],
  [120, '❯ One thing   said at length, as there is much to say of it\n    Another\n    The last    short'],
])('hints have the room that %i columns leave', (columns, text) => {
  expect(ask({}, columns).frame().trim()).toContain(text);
});

test.each([
  [40, '↑↓ choose   enter continue'],
  [80, '↑↓ choose   enter continue   1-3 choose directly'],
])('the numbers are said in the last line where %i columns have room for them', (columns, line) => {
  expect(ask({}, columns).frame().trim().split('\n').at(-1)?.trim()).toBe(line);
});
