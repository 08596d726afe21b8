import {expect, test} from 'vitest';
import {rowsOfTable} from '../../support/tables.ts';
import {jsonLines} from '../support/run.ts';
import {type SignInWay, threeWays} from '../support/three-ways.ts';

const ways: readonly SignInWay[] = ['service-account', 'mcp-client', 'browser'];

const tokensObtained = (stdout: string) => jsonLines(stdout).filter(({type}) => type === 'token-obtained').length;

test.each(
  (['0.14', '1.2', 'next'] as const).flatMap((release, at) =>
    rowsOfTable(ways, at).map(way => [release, way] as const),
  ),
)('release %s by %s: servers that share a token are asked for nothing more', async (release, way) => {
  const {setUp, store, run, files} = await threeWays(way, {release});
  const done = await setUp('--json');
  expect({code: done.code, stderr: done.stderr}).toEqual({code: 0, stderr: ''});
  expect(tokensObtained(done.stdout)).toBe(1);
  expect(done.stdout).not.toContain('second-sign-in');
  expect(done.signIns).toBe(way === 'browser' ? 1 : 0);
  const [context] = store.contexts();
  expect(context).not.toHaveProperty('resources');
  expect(store.only()).not.toHaveProperty('audience');
  expect(files().join('')).not.toContain('--server');
  expect((await run('token', '--server', 'observability')).stdout).toBe((await run('token')).stdout);
});
