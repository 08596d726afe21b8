import {expect, test} from 'vitest';
import {ownFlags} from '../../src/domain/own-command.ts';

test('only what is not as usual becomes a flag', () => {
  const own = {command: 'node', args: ['setup.js']};
  expect(ownFlags(own)).toEqual([]);
  expect(ownFlags({...own, home: '/srv/setup'})).toEqual(['--setup-home', '/srv/setup']);
  expect(ownFlags({...own, allowHttp: 'a.example'})).toEqual(['--allow-http', 'a.example']);
});
