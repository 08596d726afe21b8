import * as jsqr from 'jsqr';
import {useState} from 'react';
import {describe, expect, test, vi} from 'vitest';
import {qrLines, Waiting} from '../../../src/screens/wizard/waiting.tsx';
import type {WaitingView} from '../../../src/state/view/view.ts';
import {headerOf} from '../../../src/state/view/view-of.ts';
import {render} from '../../support/render.tsx';
import {at as states} from '../../support/states.ts';

const view: WaitingView = {
  type: 'waiting',
  waiting: {
    type: 'sign-in-waiting',
    url: 'http://idp.acme.localhost/authorize?x=1',
    redirectUri: 'http://127.0.0.1:55152/auth-callback',
    until: 60_000,
    device: false,
    listening: true,
  },
  heading: 'Waiting for your browser',
  warnings: [],
  sentences: [],
  actions: [
    {
      key: 'p',
      short: 'paste the address',
      label: 'Paste the address',
      ask: {heading: 'Paste the address from your browser', label: 'The whole address'},
      toMessage: text => ({type: 'pasted', text}),
    },
  ],
};

/** Renders the wait so that it continues when each answer is refused. */
const wait = () => {
  const send = vi.fn();
  function Screen() {
    const [refusal, setRefusal] = useState<string>();
    const answer = (message: object) => {
      send(message);
      setRefusal('That address answers another sign-in.');
    };
    const shown = refusal === undefined ? view : {...view, refusal};
    return (
      <Waiting
        header={headerOf(states['obtain-token'])}
        view={shown}
        send={answer}
        now={() => 0}
        dispatch={() => {}}
        back={[]}
      />
    );
  }
  return {...render(<Screen />), send};
};

const pasted = (text: string) => `\u001B[200~${text}\u001B[201~`;

test('an address that is pasted is taken at once, and a wrong one stays in its field with the reason', async () => {
  const {press, shows, send} = wait();
  await shows('paste the address');
  press(pasted(' http://elsewhere/?code=1&state=2\r\n'));
  await shows('That address answers another sign-in.');
  await shows('❯ http://elsewhere/?code=1&state=2');
  expect(send).toHaveBeenCalledExactlyOnceWith({type: 'pasted', text: 'http://elsewhere/?code=1&state=2'});
  press(`${pasted('http://right/')}\r`);
  await vi.waitFor(() => expect(send).toHaveBeenLastCalledWith({type: 'pasted', text: 'http://right/'}));
});

test('where a terminal does not say what is pasted, more of the address may come before Enter', async () => {
  const {press, shows, send} = wait();
  await shows('paste the address');
  press('http://127.0.0.1:55152/?sta');
  await shows('❯ http://127.0.0.1:55152/?sta');
  expect(send).not.toHaveBeenCalled();
  press('te=1\r');
  await vi.waitFor(() =>
    expect(send).toHaveBeenCalledExactlyOnceWith({type: 'pasted', text: 'http://127.0.0.1:55152/?state=1'}),
  );
});

test('anything else that is pasted may be a secret, and is not shown', async () => {
  const {press, shows, frame, send} = wait();
  await shows('paste the address');
  press(pasted('canary-password'));
  press('p');
  await shows('The whole address');
  expect(frame()).not.toContain('canary');
  expect(send).not.toHaveBeenCalled();
});

test('what was pasted and refused stays in its field, with the reason, until it is changed', async () => {
  const {press, shows, frame, send} = wait();
  await shows('paste the address');
  press('p');
  await shows('The whole address');
  press('http://elsewhere/');
  await shows('http://elsewhere/');
  press('enter');
  await shows('That address answers another sign-in.');
  expect(frame()).toContain('http://elsewhere/');
  expect(send).toHaveBeenCalledExactlyOnceWith({type: 'pasted', text: 'http://elsewhere/'});
  press('x');
  await shows('http://elsewhere/x');
  expect(frame()).not.toContain('another sign-in');
  press('backspace');
  await shows('That address answers another sign-in.');
  // A person who has copied the right address pastes it over the wrong one.
  press('\u001B[200~http://right/\u001B[201~');
  await shows('http://right/');
  expect(frame()).not.toContain('elsewhere');
});

describe('the screen below the printed address', () => {
  const sentences = [
    'There is no browser without a display. Open the address above anywhere, sign in, and paste the address that your browser ends up at. That last page shows an error: this is expected.',
    'If you see an error before you have signed in, the identity provider is not set up for this sign-in. Run npx setup provider guide --issuer http://idp.acme.localhost:8080 and send the result to its operators.',
  ];
  const note = 'Listening on http://127.0.0.1:55152/auth-callback';
  const rowsAt = (columns: number, rows: number) => {
    const url = `http://idp.acme.localhost:8080/authorize?${'x'.repeat(420)}`;
    const {waiting} = view;
    const long = {...view, waiting: {...waiting, url} as WaitingView['waiting'], sentences, note};
    const header = headerOf(states['obtain-token']);
    const {frame} = render(
      <Waiting header={header} view={long} send={() => {}} now={() => 0} dispatch={() => {}} back={[]} />,
      {columns, rows},
    );
    return {shown: frame(), free: rows - frame().split('\n').length - 1, needed: 1 + Math.ceil(url.length / columns)};
  };

  test.each([
    [80, 24],
    [100, 24],
    [100, 20],
    [120, 20],
  ])('leaves room for the whole address at %i x %i', (columns, rows) => {
    const {shown, free, needed} = rowsAt(columns, rows);
    expect(free).toBeGreaterThanOrEqual(needed);
    for (const words of ['Waiting for your browser', 'this is expected.', 'operators.', note, '? keys'])
      expect(shown.replaceAll(/\s+/g, ' ')).toContain(words);
  });

  test('is as usual where there is room for everything, and where there is none', () => {
    expect(rowsAt(100, 40).shown).toContain('✔ Deployment');
    expect(rowsAt(40, 20).shown).toContain('Waiting for your browser');
  });
});

test('the address is shown alone on request, and every key of the wait leads back', async () => {
  const {press, shows, frame} = wait();
  await shows('show only the address');
  press('a');
  await shows('esc back');
  expect(frame()).not.toContain('Waiting for your browser');
  press('\u001B');
  await shows('Waiting for your browser');
  press('a');
  await shows('esc back');
  press('p');
  await shows('The whole address');
});

// A CommonJS module with types that say otherwise.
const read = (jsqr as unknown as {default: typeof jsqr.default.default}).default;

/** The width of a character and the height of half a character in points, as large as the reader needs it. */
const SCALE = 4;

/** Returns the picture that a phone sees of these lines: a drawn half is white, and the rest is black. */
const pictureOf = (lines: readonly string[]) => {
  const [width, height] = [(lines[0]?.length ?? 0) * SCALE, lines.length * 2 * SCALE];
  const data = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const row = Math.floor(y / SCALE);
      const sign = lines[Math.floor(row / 2)]?.[Math.floor(x / SCALE)] ?? ' ';
      const isWhite = sign === '█' || sign === (row % 2 === 0 ? '▀' : '▄');
      data.set(isWhite ? [255, 255, 255, 255] : [0, 0, 0, 255], (y * width + x) * 4);
    }
  }
  return {data, width, height};
};

test.each([
  'https://sso.acme.example/realms/dev/device?user_code=TLEK-ATUA',
  'https://login.acme.example/device?code=ABCD-EFGH&with=a%20longer%20address%20than%20most%20of%20them%20have',
])('a reader finds %s', async address => {
  const lines = await qrLines(address);
  const {data, width, height} = pictureOf(lines);
  expect(read(data, width, height)?.data).toBe(address);
});

test('a usual address takes no more than a narrow terminal has', async () => {
  const lines = await qrLines('https://sso.acme.example/realms/dev/device?user_code=TLEK-ATUA');
  expect(lines[0]?.length).toBeLessThanOrEqual(38);
});

test('the field shows the time left, and whoever is in it gets more before it is over', async () => {
  const send = vi.fn();
  let at = 0;
  let until = 120_000;
  let redraw = () => {};
  function Screen() {
    const [, setDrawn] = useState(0);
    redraw = () => setDrawn(drawn => drawn + 1);
    const more = {key: '+', short: 'more time', label: 'More', send: {type: 'more-time'}} as const;
    const shown = {...view, waiting: {...view.waiting, until}, actions: [...view.actions, more]};
    return (
      <Waiting
        header={headerOf(states['obtain-token'])}
        view={shown}
        send={send}
        now={() => at}
        dispatch={() => {}}
        back={[]}
      />
    );
  }
  const {press, shows} = render(<Screen />);
  await shows('Waiting for your browser, 2:00 left');
  press('p');
  await shows('Paste the address from your browser, 2:00 left');
  expect(send).not.toHaveBeenCalled();
  at = 70_000;
  await vi.waitFor(() => expect(send).toHaveBeenCalledExactlyOnceWith({type: 'more-time'}), {timeout: 5_000});
  until += 300_000;
  redraw();
  await shows('Paste the address from your browser, 5:50 left');
  expect(send).toHaveBeenCalledOnce();
});
