import {expect, test, vi} from 'vitest';
import {AskText, oneLineOf} from '../../../src/screens/parts/text-field.tsx';
import {App} from '../../../src/screens/wizard/app.tsx';
import {headerOf} from '../../../src/state/view/view-of.ts';
import {render} from '../../support/render.tsx';
import {standing} from '../../support/standing-wizard.ts';
import {at} from '../../support/states.ts';

const pasted = (text: string) => `\u001B[200~${text}\u001B[201~`;

const client = {...at.client, answers: {...at.client.answers, signIn: 'mcp-client'}} as const;

const showClient = () => {
  const wizard = standing(client);
  return {...render(<App wizard={wizard} send={() => {}} now={() => 0} />, {columns: 80, rows: 24}), wizard};
};

test('a client ID that is suggested goes away when another is typed', async () => {
  const {press, shows, frame, wizard} = showClient();
  await shows('❯ mcp_client  (suggested: Enter takes it)');
  press('mine');
  await shows(/❯ mine *\n/);
  expect(frame()).not.toContain('mcp_client');
  press('\rs3cret\r');
  await vi.waitFor(() => expect(wizard.state().answers.clientId).toBe('mine'));
});

test('Enter takes what is suggested, and so does an empty field', async () => {
  const {press, shows, wizard} = showClient();
  await shows('mcp_client');
  press('x');
  await shows(/❯ x *\n/);
  press('backspace');
  await shows('(suggested: Enter takes it)');
  press('\rs3cret\r');
  await vi.waitFor(() => expect(wizard.state().answers.clientId).toBe('mcp_client'));
});

test('who wants to change what is suggested goes to its end', async () => {
  const {press, shows, wizard} = showClient();
  await shows('mcp_client');
  press('\u001B[C');
  press('_2');
  await shows(/❯ mcp_client_2 *\n/);
  press('\rs3cret\r');
  await vi.waitFor(() => expect(wizard.state().answers.clientId).toBe('mcp_client_2'));
});

const ask = (isSuggested: boolean) => {
  const onSubmit = vi.fn();
  const texts = {heading: 'Another name', label: 'Name', initial: 'acme-2', isSuggested};
  const screen = render(<AskText header={headerOf(at.review)} {...texts} onSubmit={onSubmit} onCancel={() => {}} />);
  return {...screen, onSubmit};
};

test('a question suggests an answer, or has one to be corrected', async () => {
  const suggesting = ask(true);
  await suggesting.shows('❯ acme-2  (suggested');
  suggesting.press('other\r');
  await vi.waitFor(() => expect(suggesting.onSubmit).toHaveBeenCalledWith('other'));
  const correcting = ask(false);
  await correcting.shows(/❯ acme-2 *\n/);
  correcting.press('0\r');
  await vi.waitFor(() => expect(correcting.onSubmit).toHaveBeenCalledWith('acme-20'));
});

test('of several lines that are pasted the first is taken, and that is said until something is typed', async () => {
  const {press, shows, frame, onSubmit} = ask(true);
  await shows('acme-2');
  press(pasted('first\r\nsecond\r\n'));
  await shows('Only the first line was taken');
  await shows(/❯ first *\n/);
  press('x');
  await shows(/❯ firstx *\n/);
  expect(frame()).not.toContain('Only the first');
  press('enter');
  await vi.waitFor(() => expect(onSubmit).toHaveBeenCalledWith('firstx'));
});

test('nor is a secret made of two lines', async () => {
  const {press, shows, wizard} = showClient();
  await shows('mcp_client');
  press('enter');
  await shows(/Client secret\n +❯/);
  press(pasted('s3cret\nother'));
  await shows('Only the first line was taken');
  press('enter');
  await vi.waitFor(() => expect(wizard.state().answers.clientSecret?.reveal()).toBe('s3cret'));
});

test.each([
  ['one line', 'one line', undefined],
  [' one \n', ' one \n', undefined],
  ['\n\none', '\n\none', undefined],
  ['one\ntwo', 'one', /first/],
  ['http://127.0.0.1/?co\nde=1&sta\r\nte=2\n', 'http://127.0.0.1/?code=1&state=2', /3 lines were joined/],
  ['http://a.example\nhttp://b.example', 'http://a.example', /first/],
  ['http://a.example\nand a remark', 'http://a.example', /first/],
])('of %j a field takes %j', (lines, text, notice) => {
  const taken = oneLineOf(lines);
  expect(taken.text).toBe(text);
  if (notice) expect(taken.notice).toMatch(notice);
  else expect(taken.notice).toBeUndefined();
});

test('Enter says that nothing is typed where nothing stands, until something is', async () => {
  const onSubmit = vi.fn();
  const texts = {heading: 'Another name', label: 'Name', initial: ''};
  const {press, shows, frame} = render(
    <AskText header={headerOf(at.review)} {...texts} onSubmit={onSubmit} onCancel={() => {}} />,
  );
  await shows('Name');
  press('\r');
  await shows('Nothing is typed yet.');
  press('x');
  await shows(/❯ x *\n/);
  expect(frame()).not.toContain('Nothing is typed');
  expect(onSubmit).not.toHaveBeenCalled();
});

test('a secret that is missing is said, and a name that is left for it is not', async () => {
  const {press, shows, frame} = showClient();
  await shows('mcp_client');
  press('\r');
  await shows('ctrl-r');
  expect(frame()).not.toContain('Nothing is typed');
  press('\r');
  await shows('Nothing is typed yet.');
});
