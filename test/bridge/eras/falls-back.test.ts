import {describe, expect, test} from 'vitest';
import {bridgeTo, modern} from '../support/bridge.ts';
import {serverThat} from './support.ts';

describe.each(['claude-code', 'copilot-cli'])(
  '%s, which begins by a handshake where a server does not know another way',
  name => {
    test('is told that a server does not, and everything passes as it is', async () => {
      const {origin, seen} = await serverThat('legacy');
      const {request, initialize} = await bridgeTo(origin);
      expect(await request('server/discover', modern({}, name))).toHaveProperty('error');
      expect(await initialize()).toMatchObject({result: {instructions: 'Ask me.'}});
      expect((await request('tools/call', {name: 'echo', arguments: {}})).result).toEqual({
        content: [{type: 'text', text: 'legacy'}],
        structuredContent: {era: 'legacy'},
      });
      expect(seen).not.toContain('modern GET');
    });
  },
);
