import {chmod, readFile, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {type Finding, pass} from '../../../src/domain/finding.ts';
import type {Check, Machine, Subject} from '../../../src/flows/diagnosis/check.ts';
import type {FlowEvent} from '../../../src/flows/flow.ts';
import {bundled} from '../../../src/platform/platforms.ts';
import {createDiagnosisRun, type DiagnosisState, outcomesIn} from '../../../src/state/diagnosis/diagnosis-run.ts';
import {contextAt} from '../../support/context.ts';
import {portsIn, temporaryDirectory} from '../../support/place.ts';
import {onUnix} from '../../support/systems/on-unix.ts';

const context = contextAt('http://idp.acme.localhost:8080');
const {controlPlaneUrl, authUrl, issuer} = context;
const subject: Subject = {platform: bundled, context, controlPlaneUrl, authUrl, issuer};

const machine: Machine = {
  ...{node: '24.0.0', version: '0.1.0', distrusts: false, assistants: [], redirectUri: bundled.callbackUrl},
  place: {home: '/nowhere', project: '/nowhere', system: 'linux', env: {}},
  own: {command: 'node', args: []},
  startsOf: () => [],
};

const check = (id: string, run: Check['run'] = async () => pass(`saw ${id}`)): Check => ({
  ...{id, title: id.toUpperCase(), needs: []},
  run,
});

const call = {call: 1, method: 'GET', url: 'http://x', ms: 3, curl: 'curl http://x'};

/** Begins a diagnosis with these checks, and records its states. */
const begin = (...checks: readonly Check[]) => beginAt(subject, ...checks);

const beginAt = async (subject: Subject, ...checks: readonly Check[]) => {
  const path = '../../../src/flows/diagnosis/all-checks.ts';
  vi.doMock(path, () => ({checksOf: () => checks}));
  onTestFinished(() => void vi.doUnmock(path));
  const home = await temporaryDirectory();
  const ports = portsIn(home);
  const run = await createDiagnosisRun({subject, machine}, ports);
  const states: DiagnosisState[] = [];
  const unsubscribe = run.subscribe(() => states.push(run.state()));
  return {run, states, ports, home, unsubscribe, outcomes: () => outcomesIn(run.state())};
};

describe('a diagnosis', () => {
  test('begins with what is to be looked at, and nothing of it known', async () => {
    const {run, states} = await begin(check('a'), check('b'));
    expect(run.state()).toStrictEqual({
      ...{subject, outcomes: {}, isRunning: false, calls: []},
      checks: [
        {id: 'a', title: 'A'},
        {id: 'b', title: 'B'},
      ],
    });
    expect(states).toEqual([]);
  });

  test('keeps a sign-in that failed before it, and knows when that has been looked at once', async () => {
    const failure = {code: 'platform-busy', message: 'It is busy.', remedy: 'Wait.'} as const;
    const seen: unknown[] = [];
    const looking = check('a', async scene => {
      seen.push(scene.subject.unsaved);
      return pass('');
    });
    const unsaved = {method: 'browser', secrets: []} as const;
    const {run} = await beginAt({...subject, unsaved: {...unsaved, failure}}, looking);
    await run.run();
    await run.run();
    expect(seen).toEqual([
      {...unsaved, failure},
      {...unsaved, failure: {...failure, isCheckedSince: true}},
    ]);
  });

  test('that is run again is about what is saved by then', async () => {
    const seen: unknown[] = [];
    const looking = check('a', async scene => {
      seen.push(scene.subject.context?.assistantsAccount?.clientId);
      return pass('');
    });
    const {run, ports} = await begin(looking);
    await run.run();
    const assistantsAccount = {signIn: 'mcp-client', clientId: 'theirs'} as const;
    await ports.config.saveContext({...context, assistantsAccount});
    await run.run();
    expect(seen).toEqual([undefined, 'theirs']);
    expect(run.state().subject.context).toMatchObject({assistantsAccount});
  });

  test('is told check by check, and is known in their order', async () => {
    const first = Promise.withResolvers<Finding>();
    const {run, states, outcomes} = await begin(
      check('a', () => first.promise),
      check('b', async () => {
        first.resolve(pass('saw a'));
        return pass('saw b');
      }),
    );
    await run.run();
    expect(states[0]).toMatchObject({isRunning: true, outcomes: {}});
    expect(states.some(({outcomes}) => Object.keys(outcomes).length === 1)).toBe(true);
    expect(run.state().isRunning).toBe(false);
    expect(outcomes().map(({id, saw}) => [id, saw])).toEqual([
      ['a', 'saw a'],
      ['b', 'saw b'],
    ]);
  });

  test('shows the calls that were made, by what came of them', async () => {
    const events: readonly FlowEvent[] = [
      {...call, type: 'call-started'},
      {...call, type: 'call-answered', status: 399},
      {...call, type: 'call-answered', call: 2, status: 400},
      {...call, type: 'call-failed', call: 3, message: 'Nothing listens'},
    ];
    const telling = check('a', async ({tell}) => {
      for (const event of events) tell(event);
      return pass('');
    });
    const {run} = await begin(telling);
    await run.run();
    const shown = (number: number, result: string, failed: boolean) => ({
      call: number,
      answer: {result, failed, ms: 3, curl: 'curl http://x'},
    });
    const calls = [shown(1, '399', false), shown(2, '400', true), shown(3, 'Nothing listens', true)];
    expect(run.state().calls).toEqual(calls);
    // The second run replaces the calls of the first.
    await run.run();
    expect(run.state().calls).toEqual(calls);
  });

  test('is one at a time', async () => {
    const look = vi.fn(async () => pass(''));
    const {run} = await begin(check('a', look));
    await Promise.all([run.run(), run.run()]);
    expect(look).toHaveBeenCalledOnce();
  });

  test('is told to nobody who has left', async () => {
    const {run, states, unsubscribe} = await begin(check('a'));
    unsubscribe();
    await run.run();
    expect(states).toEqual([]);
  });

  test('ends when it is stopped, and runs no more', async () => {
    const {promise: begun, resolve} = Promise.withResolvers<void>();
    const hanging = check('a', () => {
      resolve();
      return new Promise(() => {});
    });
    const {run} = await begin(hanging);
    const running = run.run();
    await begun;
    run.stop();
    await expect(running).rejects.toMatchObject({code: 'cancelled'});
    expect(run.state().isRunning).toBe(false);
  });
});

describe('a sign-in that another run changes', () => {
  const account = {signIn: 'service-account', clientId: 'bot'} as const;
  const theirs = {...context, ...account, actsAs: 'assistants'} as const;
  const own = {issuer, clientId: context.clientId, accessToken: 'access-0'};

  const machine = async () => {
    let runs = 0;
    const begun = await begin(
      check('a', async () => {
        runs += 1;
        return pass('');
      }),
    );
    await begun.ports.config.saveContext({...context, assistantsAccount: account});
    await begun.ports.credentials.replace(context, own);
    return {...begun, runs: () => runs};
  };

  test('is not looked for before the checks have ended', async () => {
    const {run, ports} = await machine();
    await ports.credentials.replace(context, {...own, accessToken: 'access-1'});
    expect(await run.runIfSignInChanged()).toBe(false);
  });

  test.each<[string, (ports: Awaited<ReturnType<typeof machine>>['ports']) => Promise<unknown>]>([
    ['a new token', ports => ports.credentials.replace(context, {...own, accessToken: 'access-1'})],
    ['a sign-out', ports => ports.credentials.replace(context, undefined)],
    [
      'a secret for the assistants’ account',
      ports => ports.credentials.replace(theirs, {issuer, clientId: 'bot', clientSecret: 'secret-0'}),
    ],
    ['the end of the assistants’ account', ports => ports.config.saveContext(context)],
  ])('is seen, and everything is checked again: %s', async (_, change) => {
    const {run, ports, runs} = await machine();
    await run.run();
    expect(await run.runIfSignInChanged()).toBe(false);
    await change(ports);
    expect(await run.runIfSignInChanged()).toBe(true);
    expect(runs()).toBe(2);
    expect(run.state().notice).toMatch(/^Another run has signed in or out/);
    expect(await run.runIfSignInChanged()).toBe(false);
  });
});

describe('a fix', () => {
  onUnix('is done, and everything is looked at again by what is saved then', async () => {
    const seen: (string | undefined)[] = [];
    const noting = check('a', async ({subject}) => {
      seen.push(subject.context?.baseDomain);
      return pass('');
    });
    const {run, ports} = await begin(noting);
    await ports.credentials.replace(context, {issuer, clientId: context.clientId, accessToken: 'access-0'});
    await chmod(ports.credentials.path, 0o644);
    await ports.config.saveContext({...context, name: 'other'});
    await ports.config.saveContext({...context, baseDomain: 'changed.localhost'});
    await run.run();
    const notices = new Set<string | undefined>();
    run.subscribe(() => notices.add(run.state().notice));
    await run.fix('tighten');
    expect((await stat(ports.credentials.path)).mode & 0o777).toBe(0o600);
    expect([...notices]).toEqual(['Done. Checking everything again.', undefined]);
    // Once the checks have ended, nothing is checked any more.
    expect(run.state()).not.toHaveProperty('notice');
    expect(seen).toEqual(['acme.localhost', 'changed.localhost']);
  });

  test('leaves the subject where nothing of it is saved', async () => {
    const seen: Subject[] = [];
    const {run} = await begin(
      check('a', async ({subject}) => {
        seen.push(subject);
        return pass('');
      }),
    );
    await run.fix('tighten');
    expect(seen).toEqual([subject]);
  });

  test('that fails is said with what to do, and everything is looked at again', async () => {
    const {run, ports, outcomes} = await begin(check('a'));
    await writeFile(ports.config.path, '{');
    await run.fix('tighten');
    expect(run.state().notice).toMatch(/cannot be used: it is not JSON \(line \d+, column \d+\)\. \S/);
    await ports.files.remove(ports.config.path);
    await run.fix('reconnect');
    expect(run.state().notice).toMatch(/^You are signed out of acme\. \S/);
    expect(outcomes()).toHaveLength(1);
  });
});

describe('a report', () => {
  test('holds what is known, and where it is is said', async () => {
    const {run, home} = await begin(check('a'));
    const path = join(home, 'report.md');
    await run.run();
    await run.trySave(path);
    expect(run.state().notice).toBe(`The report is in ${path}. It contains no secrets.`);
    expect(await readFile(path, 'utf8')).toContain('saw a');
  });

  test('that cannot be saved is an error, or a sentence where nothing is to end', async () => {
    const {run, home} = await begin(check('a'));
    const path = join(home, 'notes.md');
    await writeFile(path, '# Notes\n');
    await expect(run.save(path)).rejects.toMatchObject({code: 'input-invalid'});
    expect(run.state()).not.toHaveProperty('notice');
    await run.trySave(path);
    expect(run.state().notice).toContain('is not a report');
  });
});
