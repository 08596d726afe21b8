import {Box} from 'ink';
import {expect, test, vi} from 'vitest';
import {ChoiceList, type Option, useChoice} from '../../../src/screens/parts/choice.tsx';
import {useKeys, walkBindings} from '../../../src/screens/parts/keys.tsx';
import {render} from '../../support/render.tsx';

const names = Array.from({length: 30}, (_, index) => `context-${String(index + 1).padStart(2, '0')}`);
const options: readonly Option<string>[] = [
  ...names.map(value => ({value, label: value})),
  {value: 'acme', label: 'Acme Staging', hint: 'https://acme.example'},
];

test('keys that do nothing in an empty list are not named', () => {
  const walk = {at: 0, page: 5, to: () => {}, label: 'choose'};
  expect(walkBindings({...walk, count: 0})).toEqual([]);
  expect(walkBindings({...walk, count: 1}).length).toBeGreaterThan(3);
});

function Asked({onChoose}: {readonly onChoose: (value: string) => void}) {
  const choice = useChoice(options, onChoose);
  useKeys(choice.bindings);
  return (
    <Box flexDirection="column">
      <ChoiceList choice={choice} room={6} />
    </Box>
  );
}

const ask = () => {
  const onChoose = vi.fn<(value: string) => void>();
  return {...render(<Asked onChoose={onChoose} />), onChoose};
};

test('what is typed behind a slash narrows the list, and Enter chooses from what is left', async () => {
  const {press, shows, onChoose} = ask();
  press('/');
  await shows('❯ context-01');
  // Letters and digits are text now, even those that are keys elsewhere.
  press('context 2');
  await shows('❯ context-02');
  press('\u001B[B\r');
  await vi.waitFor(() => expect(onChoose).toHaveBeenCalledExactlyOnceWith('context-12'));
});

test('any word of a label or a hint is found, whatever its case', async () => {
  const {press, shows, onChoose} = ask();
  press('/STAG ACME.\r');
  await vi.waitFor(() => expect(onChoose).toHaveBeenCalledExactlyOnceWith('acme'));
  await shows('❯ Acme Staging');
});

test('where nothing is left, Enter does nothing, and Esc shows all of it again', async () => {
  const {press, shows, frame, onChoose} = ask();
  press('/nowhere');
  await shows('Nothing in the list matches.');
  press('\r');
  press('esc');
  await shows('❯ context-01');
  expect(frame()).not.toContain('nowhere');
  expect(onChoose).not.toHaveBeenCalled();
});

test.each([
  ['End', '\u001B[F', 'Acme Staging'],
  ['Page Down', '\u001B[6~', 'context-06'],
  ['Page Down twice', '\u001B[6~\u001B[6~', 'context-11'],
  ['more pages than there are', '\u001B[6~'.repeat(9), 'Acme Staging'],
  ['End and Page Up', '\u001B[F\u001B[5~', 'context-26'],
  ['End and Home', '\u001B[F\u001B[H', 'context-01'],
  ['an arrow past the first', '\u001B[A', 'Acme Staging'],
])('%s is always in sight', async (_name, keys, label) => {
  const {press, shows, frame} = ask();
  press(keys);
  await shows(`❯ ${label}`);
  expect(frame().trim().split('\n')).toHaveLength(6);
});
