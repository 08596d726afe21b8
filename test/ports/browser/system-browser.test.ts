import {expect, test} from 'vitest';
import {createBrowser} from '../../../src/ports/browser/system-browser.ts';

test.each([
  [{SSH_CONNECTION: '192.0.2.7 53122 198.51.100.4 22', USER: 'ann'}, 'ann@198.51.100.4'],
  [{SSH_CONNECTION: '192.0.2.7 53122 198.51.100.4 2222', USER: 'ann'}, '-p 2222 ann@198.51.100.4'],
])('over SSH, the way back to this machine (%#)', (env, destination) => {
  expect(createBrowser(env).obstacle()).toEqual({kind: 'ssh', from: '192.0.2.7', destination});
});

test('an SSH_CLIENT alone tells where the person is, and no name of this machine', () => {
  const obstacle = createBrowser({SSH_CLIENT: '192.0.2.7 53122 22', USER: 'ann'}).obstacle();
  expect(obstacle).toEqual({kind: 'ssh', from: '192.0.2.7', destination: expect.stringMatching(/^ann@.*\D/)});
});
