import {useState} from 'react';
import {expect, test, vi} from 'vitest';
import {Waiting} from '../../../src/screens/wizard/waiting.tsx';
import type {WaitingView} from '../../../src/state/view/view.ts';
import {render} from '../../support/render.tsx';
import {at} from '../../support/states.ts';

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
      short: 'paste the answer',
      label: 'Paste the answer',
      ask: {heading: 'Paste the address from your browser', label: 'The whole address'},
      toMessage: text => ({type: 'pasted', text}),
    },
  ],
};

test('what was pasted and refused stays in its field, with the reason, until it is changed', async () => {
  const send = vi.fn();
  function Screen() {
    const [refusal, setRefusal] = useState<string>();
    const answer = (message: object) => {
      send(message);
      setRefusal('That address answers another sign-in.');
    };
    const shown = refusal === undefined ? view : {...view, refusal};
    return (
      <Waiting state={at['obtain-token']} view={shown} send={answer} now={() => 0} dispatch={() => {}} back={[]} />
    );
  }
  const {press, shows, frame} = render(<Screen />);
  await shows('paste the answer');
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
  // Who has copied the right one pastes it over the wrong one.
  press('\u001B[200~http://right/\u001B[201~');
  await shows('http://right/');
  expect(frame()).not.toContain('elsewhere');
});
