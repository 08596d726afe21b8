import {setTimeout as wait} from 'node:timers/promises';
import {describe, expect, test} from 'vitest';
import {pass, summaryOf} from '../../../src/domain/finding.ts';
import {Secret} from '../../../src/domain/secret.ts';
import {type ErrorCode, SetupError} from '../../../src/errors/errors.ts';
import type {Check, Subject} from '../../../src/flows/diagnosis/check.ts';
import {diagnose, verdictOf} from '../../../src/flows/diagnosis/diagnose.ts';
import {reportOf, requireHarmless} from '../../../src/flows/diagnosis/report.ts';
import {bundled} from '../../../src/platform/platforms.ts';
import {contextAt} from '../../support/context.ts';
import {collect} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {serveRoutes, text} from '../../support/server.ts';

const subject: Subject = {
  platform: bundled,
  controlPlaneUrl: 'http://api.acme.localhost:8080',
  authUrl: 'http://idp.acme.localhost:8080',
  issuer: 'http://idp.acme.localhost:8080',
};

const machine = {
  node: '24.0.0',
  version: '0.1.0',
  distrusts: false,
  place: {home: '/home/ann', project: '/home/ann/project', system: 'linux', env: {}},
  own: {command: 'node', args: []},
  startsOf: () => [],
  assistants: [],
  redirectUri: bundled.callbackUrl,
} as const;

const check = (id: string, needs: readonly string[], run: Check['run'] = async () => pass(id)): Check => ({
  id,
  title: id.toUpperCase(),
  needs,
  run,
});

const run = async (...checks: readonly Check[]) => {
  const {result, events} = await collect(diagnose, {subject, machine, checks}, await temporaryPorts());
  return {outcomes: result.outcomes, events};
};

describe('the line for the platform team', () => {
  const refusing = async (code: ErrorCode, contact?: string) => {
    const origin = await serveRoutes({'/metadata': text('{}')});
    const read = check('discovery', [], async ({ports, signal, tell}) => {
      await ports.http.send({method: 'GET', url: new URL(`${origin}/metadata`)}, {signal, report: tell});
      return pass('read');
    });
    const grants = check('grants', ['discovery'], () => {
      throw new SetupError(code, 'There is no S256.');
    });
    const {outcomes} = await run(read, grants);
    return {origin, handOn: verdictOf(outcomes, contact).handOn};
  };

  test('has what is wrong, what was seen, the code and the call that showed it', async () => {
    const {origin, handOn} = await refusing('auth-pkce-missing', 'platform@acme.example');
    expect(handOn).toBe(
      `To your platform team (platform@acme.example): The identity provider does not offer PKCE with S256. There is no S256. Code: auth-pkce-missing. To repeat it: curl ${origin}/metadata`,
    );
  });

  test('is not there if it is the person’s own turn', async () => {
    expect((await refusing('auth-admin-refused')).handOn).toBeUndefined();
    expect((await refusing('network-name-not-found')).handOn).toBeUndefined();
  });

  test.each(['network-refused', 'network-timeout', 'platform-unhealthy', 'auth-token-opaque'] as const)(
    'is there for %s',
    async code => {
      expect((await refusing(code)).handOn).toMatch(/^To your platform team: The .* Code: /);
    },
  );

  test('is in the report', async () => {
    const failed = {
      id: 'health-observer',
      title: 'Health',
      server: 'observer',
      verdict: 'fail',
      code: 'platform-unhealthy',
      ms: 1,
    } as const;
    const outcomes = [{...failed, saw: 'It said 503.', curl: 'curl http://observer.acme.localhost/health'}];
    expect(reportOf({outcomes, subject, machine, at: ''})).toContain(
      '\n\nTo your platform team: The observer is not ready. It said 503. Code: platform-unhealthy. To repeat it: curl http://observer.acme.localhost/health\n\n',
    );
  });
});

describe('the checks run', () => {
  test('along what they need, the others side by side, each told as it ends', async () => {
    const order: string[] = [];
    const noted = (id: string, needs: readonly string[] = []) =>
      check(id, needs, async () => {
        order.push(`${id} begins`);
        await wait(5);
        order.push(`${id} ends`);
        return pass(id);
      });
    const {outcomes, events} = await run(noted('c', ['a', 'b']), noted('a'), noted('b'));
    expect(order.slice(0, 2)).toEqual(['a begins', 'b begins']);
    expect(order.at(-2)).toBe('c begins');
    // The outcomes keep the order of the list, not the order in which the checks ended.
    expect(outcomes.map(({id}) => id)).toEqual(['c', 'a', 'b']);
    expect(events.filter(({type}) => type === 'check-finished')).toHaveLength(3);
  });

  test('and one that takes too long names whom it asked, or itself', async () => {
    const hanging: Check['run'] = ({signal}) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const asking = {...check('asking', [], hanging), address: ({authUrl}: Subject) => authUrl};
    const starting = {...check('starting', [], hanging), time: 50};
    const {outcomes} = await run(asking, check('alone', [], hanging), starting);
    expect(outcomes.map(({code, sentence}) => [code, sentence])).toEqual([
      ['network-timeout', `${subject.authUrl} did not answer within 4 s.`],
      ['local-check-late', '“ALONE” did not finish within 4 s.'],
      ['local-check-late', '“STARTING” did not finish within 0.05 s.'],
    ]);
    // No server was asked, so the remedy does not blame the connection.
    expect(outcomes[1]?.remedy).toBe('Try again. If this machine is busy, wait until it is less so.');
  });

  test('and one without ground is skipped, naming the bottom of what is gone', async () => {
    let asked = 0;
    const {outcomes} = await run(
      check('ground', [], async () => {
        throw new SetupError('network-refused', 'Nothing listens at http://x.');
      }),
      check('above', ['ground'], async () => {
        asked += 1;
        return pass('');
      }),
      check('higher', ['above']),
      check('beside', []),
    );
    expect(asked).toBe(0);
    expect(outcomes.map(({id, verdict, because}) => [id, verdict, because])).toEqual([
      ['ground', 'fail', undefined],
      ['above', 'skipped', 'ground'],
      ['higher', 'skipped', 'ground'],
      ['beside', 'pass', undefined],
    ]);
    expect(outcomes[0]).toMatchObject({
      // In words, because codes are for programs.
      saw: 'Nothing listens at http://x.',
      sentence: 'Nothing listens at http://x.',
      code: 'network-refused',
      remedy: expect.any(String),
    });
    expect(summaryOf(outcomes)).toBe('1 pass, 0 warn, 1 fail, 2 skipped');
  });

  test('and a fault of ours is a failure, not the end of the diagnosis', async () => {
    const {outcomes} = await run(
      check('broken', [], async () => {
        throw new RangeError('odd');
      }),
      check('fine', []),
    );
    expect(outcomes.map(({verdict, code}) => [verdict, code])).toEqual([
      ['fail', 'bug'],
      ['pass', undefined],
    ]);
  });

  test('and names whom to ask where the platform may be at fault', async () => {
    const context = {...contextAt(subject.authUrl), contact: '#platform-help'};
    const failing = (code: ErrorCode) =>
      check(code, [], async () => {
        throw new SetupError(code, 'It failed.');
      });
    const checks = (
      ['network-refused', 'platform-not-found', 'auth-token-opaque', 'auth-no-role', 'local-config-invalid'] as const
    ).map(failing);
    const {result} = await collect(diagnose, {subject: {...subject, context}, machine, checks}, await temporaryPorts());
    const naming = result.outcomes.filter(({remedy}) => remedy?.endsWith(' Contact: #platform-help.'));
    expect(naming.map(({code}) => code)).toEqual(['network-refused', 'auth-token-opaque', 'auth-no-role']);
  });

  test('and whatever fails, there is one command to sign in by', async () => {
    const failing = (id: string, error: SetupError) =>
      check(id, [], async () => {
        throw error;
      });
    const checks = [
      failing('none', new SetupError('auth-sign-in-required', 'You are not signed in.')),
      failing('kept', new SetupError('local-credentials-invalid', 'It does not parse.')),
      failing('port', new SetupError('local-callback-failed', 'This program cannot listen.')),
      failing('own', new SetupError('auth-grant-refused', 'No.', {remedy: 'npx setup login --context acme.'})),
    ];
    const remediesOf = async (about: Subject) => {
      const ports = await temporaryPorts();
      const {result} = await collect(diagnose, {subject: about, machine, checks}, ports);
      return result.outcomes.map(({remedy = ''}) => /npx setup[^.;]*/.exec(remedy)?.[0]);
    };
    const context = {name: 'acme'} as NonNullable<Subject['context']>;
    const login = 'npx setup login --context acme';
    expect(await remediesOf({...subject, context})).toEqual([
      `${login} to sign in`,
      login,
      `${login} in a terminal`,
      login,
    ]);
    expect((await remediesOf(subject)).slice(0, 2)).toEqual(['npx setup login to sign in', 'npx setup login']);
    // A person in the middle of a run goes on with that run.
    expect((await remediesOf({...subject, unsaved: {method: 'browser', secrets: []}}))[1]).toBe('npx setup');
  });

  test('until the person leaves', async () => {
    const disconnecting = new AbortController();
    const hanging = check('hangs', [], ({signal}) => wait(60_000, pass(''), {signal}));
    const input = {subject, machine, checks: [hanging]};
    const diagnosing = collect(diagnose, input, await temporaryPorts(), disconnecting.signal, () => {
      disconnecting.abort();
    });
    await expect(diagnosing).rejects.toMatchObject({code: 'cancelled'});
  });
});

describe('a report', () => {
  const outcomes = [
    {id: 'a', title: 'Sign-in', verdict: 'fail', saw: 'x|y', sentence: 'It was refused.', remedy: 'Sign in.', ms: 3},
    {id: 'b', title: 'Clock', verdict: 'pass', saw: 'right', ms: 1},
  ] as const;

  test('is Markdown for people, with the same as JSON in it', () => {
    const text = reportOf({outcomes, subject, machine, at: '2026-01-01T00:00:00.000Z'});
    expect(text).toContain('## Sign-in: fail\n\nIt was refused.');
    expect(text).toContain('| Sign-in | fail | x\\|y | 3 |');
    const json = /```json\n([\s\S]*?)\n```/.exec(text)?.[1] ?? '';
    expect(JSON.parse(json)).toMatchObject({version: '0.1.0', outcomes: [{id: 'a'}, {id: 'b'}]});
  });

  test('says a failure once, in words', async () => {
    const {outcomes} = await run(
      check('grants', [], async () => {
        throw new SetupError('auth-pkce-missing', 'It does not support PKCE.');
      }),
    );
    const [text] = reportOf({outcomes, subject, machine, at: ''}).split('## The same as JSON');
    expect(text).toMatch(/## GRANTS: fail\n\nIt does not support PKCE\.\n\nWhat to do: .+\n\n## Every check/);
    expect(text).toMatch(/\| GRANTS \| fail \| It does not support PKCE\. \| \d+ \|/);
    // The code is for the line that is handed on.
    expect(text?.replace(/^To your platform team: .*$/m, '')).not.toContain('auth-pkce-missing');
  });

  test('that would hold a secret is refused: one that is known, and anything like a token', async () => {
    const ports = await temporaryPorts();
    const secrets = [new Secret('hunter2-hunter2')];
    const about = {...subject, unsaved: {method: 'mcp-client', secrets}} as const;
    await expect(requireHarmless('all is well', about, ports)).resolves.toBeUndefined();
    for (const text of [
      'x hunter2-hunter2 y',
      'hunter2%2Dhunter2 Bearer abcdefgh123',
      'eyJhbGciOiJI.eyJzdWIiOiJ.c2ln',
    ]) {
      await expect(requireHarmless(text, about, ports)).rejects.toMatchObject({code: 'local-report-unsafe'});
    }
  });
});
