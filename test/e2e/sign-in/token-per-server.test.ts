import {describe, expect, test} from 'vitest';
import {claimsOf} from '../../sandbox/support.ts';
import {rowsOfTable} from '../../support/tables.ts';
import {filesBelow} from '../support/files.ts';
import {jsonLines} from '../support/run.ts';
import {expectWithout} from '../support/secrets.ts';
import {type SignInWay, threeWays} from '../support/three-ways.ts';

const ways: readonly SignInWay[] = ['service-account', 'mcp-client', 'browser'];
const releases = ['0.14', '1.2', 'next'] as const;

const verdictsIn = (stdout: string) =>
  Object.fromEntries(jsonLines(stdout).flatMap(line => (line.type === 'check' ? [[line.id, line.verdict]] : [])));

const table = rowsOfTable(
  releases.flatMap(release => ways.map(way => [release, way] as const)),
  2,
  6,
);

describe('each server a resource of its own', () => {
  test.each(table)(
    'release %s by %s: set up, used, renewed, diagnosed, signed out',
    async (release, way) => {
      const {platform, setUp, run, store, files, surroundings} = await threeWays(way, {release, resources: 'each'});
      const [controlPlane, observer] = [platform.ready.controlPlaneUrl, platform.ready.observerUrl].map(
        url => `${url}/mcp`,
      );
      const done = await setUp();
      expect({code: done.code, stderr: done.stderr}).toEqual({code: 0, stderr: ''});
      expect(done.signIns).toBe(way === 'browser' ? 2 : 0);
      if (way === 'browser') expect(done.stdout).toContain(`${observer} accepts only tokens issued for it`);
      // Each entry was read back from its file and used.
      for (const name of ['Claude Code', 'Cursor', 'MCP JSON']) {
        expect(done.stdout).toMatch(new RegExp(`${name}.*: control plane \\d+ tools, observability \\d+ tools`));
      }
      expect(store.contexts()).toMatchObject([{resource: controlPlane, resources: {observability: observer}}]);
      const audiences = () =>
        Object.fromEntries(
          store.credentials().map(({audience, accessToken = ''}) => [audience ?? '', claimsOf(accessToken).aud]),
        );
      expect(audiences()).toEqual({'': controlPlane, [observer ?? '']: observer});
      const tokens = store.credentials().map(({accessToken = ''}) => accessToken);
      const [claude = '', cursor = '', generic = ''] = files();
      for (const token of tokens) expect(generic).toContain(token);
      expectWithout(`${claude}${cursor}${done.stdout}`, ...tokens);

      const printed = await run('token', '--server', 'observability');
      expect(claimsOf(printed.stdout).aud).toBe(observer);
      expect(claimsOf((await run('token')).stdout).aud).toBe(controlPlane);

      // Each token is renewed for its own server.
      store.expireAll();
      const renewed = [await run('token', '--server', 'observability'), await run('token')].map(({stdout}) =>
        stdout.trim(),
      );
      expect(renewed.map(token => claimsOf(token).aud)).toEqual([observer, controlPlane]);
      for (const token of renewed) expect(tokens).not.toContain(token);
      expect(audiences()).toEqual({'': controlPlane, [observer ?? '']: observer});

      expect(await run('mcp', 'tools', 'observability')).toMatchObject({code: 0, stderr: ''});
      expect(await run('mcp', 'tools', 'control-plane')).toMatchObject({code: 0, stderr: ''});

      const doctor = await run('doctor', '--json');
      expect({code: doctor.code, stderr: doctor.stderr}).toEqual({code: 0, stderr: ''});
      expect(verdictsIn(doctor.stdout)).toMatchObject({
        ...{token: 'pass', claims: 'pass', 'token-observability': 'pass'},
        ...{'mcp-control-plane': 'pass', 'mcp-observability': 'pass'},
        ...{
          'assistant-claude-code-user': 'pass',
          'assistant-cursor-user': 'pass',
          'assistant-documented-project': 'pass',
        },
      });

      const kept = store
        .credentials()
        .flatMap(({accessToken = '', refreshToken}) => [accessToken, refreshToken ?? []].flat());
      expect((await run('logout')).code).toBe(0);
      expect(store.credentials()).toEqual([]);
      const left = [surroundings.home, surroundings.temporary].flatMap(filesBelow);
      expectWithout(left.map(({text}) => text).join('\n'), ...tokens, ...kept);
    },
    120_000,
  );
});
