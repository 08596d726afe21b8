import {describe, expect, test} from 'vitest';
import type {FlowEvent, Run} from '../../../src/flows/flow.ts';
import {
  type AccountAccess,
  type ControlPlane,
  describeAccess,
  missingRole,
  noRole,
  readAccess,
  requireRole,
} from '../../../src/flows/platform-tools/account-roles.ts';
import {bundled} from '../../../src/platform/platforms.ts';
import {noSignal} from '../../support/flows.ts';
import {type Answer, jsonAnswer, mockedPorts, textAnswer} from '../../support/mocked-ports.ts';
import {worded} from '../../support/worded.ts';

type Options = {
  readonly version?: string;
  /** The control plane's own answer about its release. */
  readonly says?: Answer;
  readonly signal?: AbortSignal;
};

const controlPlaneUrl = 'https://api.acme.example';

/** Returns the account with this profile. Without a profile the test expects no request for one. */
const accountAt = async (profile?: Answer, {version = '1.2.3', says, signal}: Options = {}) => {
  const {ports, answer} = await mockedPorts();
  const seen: (string | null)[] = [];
  const calls: string[] = [];
  if (profile) answer(`${controlPlaneUrl}${bundled.paths.profile}`, profile, seen);
  if (says) answer(`${controlPlaneUrl}${bundled.paths.version}`, says);
  const tell = (event: FlowEvent) => {
    if (event.type === 'call-started') calls.push(new URL(event.url).pathname);
  };
  const run: Run = {ports, signal: signal ?? noSignal, tell};
  const known = version === '' ? {} : {version};
  return {asked: {platform: bundled, controlPlaneUrl, token: 'access-0', ...known}, run, seen, calls};
};

/** The access of an account without a role. */
const nowhere = {actions: 0, changes: 0, isEverything: false} as const;

const user = {type: 'user', entitlement_claim: 'groups', entitlement_values: ['developers', 'cooks']};
const allowing = (...paths: readonly (string | undefined)[]) => ({
  user,
  capabilities: {'component:view': {allowed: paths.map(path => (path === undefined ? {} : {path}))}},
});
const read = async (profile: Answer | undefined, options?: Options) => {
  const {asked, run} = await accountAt(profile, options);
  return readAccess(asked, run);
};

describe('what an account may do', () => {
  test('is asked for with its token, and told as a call', async () => {
    const {asked, run, seen, calls} = await accountAt(jsonAnswer(allowing('ns/default')));
    expect(await readAccess(asked, run)).toEqual({
      kind: 'some',
      type: 'user',
      isPerson: true,
      claim: 'groups',
      values: ['developers', 'cooks'],
      paths: ['ns/default'],
      actions: 1,
      changes: 0,
      isEverything: false,
    });
    expect(seen).toEqual(['Bearer access-0']);
    expect(calls).toEqual([bundled.paths.profile]);
  });

  test.each([
    ['everything', allowing('ns/default', '*'), {kind: 'all', paths: ['ns/default', '*']}],
    ['everything, where no path is said', allowing(undefined), {kind: 'all', paths: ['*']}],
    ['each path once', allowing('ns/a', 'ns/b', 'ns/a'), {kind: 'some', paths: ['ns/a', 'ns/b']}],
    ['nothing', allowing(), {kind: 'none', paths: []}],
    [
      'nothing, in the envelope of 0.15 and 0.16',
      {success: true, data: {user, capabilities: {}, evaluatedAt: '2026-02-23T10:00:00Z'}},
      {kind: 'none', paths: []},
    ],
    ['everything, in an envelope', {success: true, data: allowing('*')}, {kind: 'all', paths: ['*']}],
    ['nothing, where there are no capabilities', {user, capabilities: {}}, {kind: 'none', paths: []}],
    [
      'nothing, in shapes that nobody knows',
      {user, capabilities: {one: null, two: {}, three: {allowed: 'all'}}},
      {kind: 'none', paths: []},
    ],
    [
      'what many capabilities say',
      {user, capabilities: {a: {allowed: [{path: 'x'}]}, b: {allowed: [{path: 'y'}]}}},
      {paths: ['x', 'y']},
    ],
    ['no type', {...allowing(), user: {...user, type: 1}}, {type: ''}],
    ['values that are no texts', {...allowing(), user: {...user, entitlement_values: [1, 'a', null]}}, {values: ['a']}],
    ['values that are no list', {...allowing(), user: {...user, entitlement_values: 'a'}}, {values: []}],
    [
      'control characters',
      {
        user: {type: 'us\ner', entitlement_claim: 'gro\u001bups', entitlement_values: ['a\nb']},
        capabilities: {a: {allowed: [{path: 'n\ns'}]}},
      },
      {type: 'us er', claim: 'gro ups', values: ['a b'], paths: ['n s']},
    ],
  ])('is read: %s', async (_, profile, expected) => {
    expect(await read(jsonAnswer(profile))).toMatchObject(expected);
  });

  test.each<[string, Answer]>([
    ['no account', jsonAnswer({capabilities: {}})],
    ['an account that is null', jsonAnswer({user: null, capabilities: {}})],
    ['no claim', jsonAnswer({user: {...user, entitlement_claim: 1}, capabilities: {}})],
    ['no capabilities', jsonAnswer({user})],
    ['capabilities that are null', jsonAnswer({user, capabilities: null})],
    ['capabilities that are a text', jsonAnswer({user, capabilities: 'all'})],
    ['a failure, with a profile in it', jsonAnswer(allowing('*'), 500)],
    ['no JSON', textAnswer('hello')],
  ])('is unknown, and that is no error, with %s', async (_, profile) => {
    expect(await read(profile)).toEqual({kind: 'unknown'});
  });

  test('is not asked for where the release has no roles', async () => {
    const {asked, run, seen} = await accountAt(undefined, {version: '0.14.0'});
    expect(await readAccess(asked, run)).toEqual({kind: 'unknown'});
    expect(seen).toEqual([]);
  });

  test('is not asked for by who was told to stop', async () => {
    const stop = new Error('Stop.');
    await expect(read(undefined, {signal: AbortSignal.abort(stop)})).rejects.toBe(stop);
  });

  test('hides no fault of ours', async () => {
    const {asked, run} = await accountAt();
    const http = {...run.ports.http, send: () => Promise.reject(new TypeError('oops'))};
    const broken = {...run, ports: {...run.ports, http}};
    await expect(readAccess(asked, broken)).rejects.toThrow('oops');
    await expect(missingRole({...asked, version: '1.2.3'}, broken)).rejects.toThrow('oops');
  });
});

describe('an account without a role', () => {
  const controlPlane: ControlPlane = {platform: bundled, controlPlaneUrl: 'https://api.acme.example', version: '1.2.3'};
  const none = {
    kind: 'none',
    type: 'user',
    isPerson: true,
    claim: 'groups',
    values: ['developers', 'cooks'],
    paths: [],
    ...nowhere,
  } as const;
  /** Returns the access of an account with these claims in its token and without a role. */
  const accessWith = async (claims: object, entitlement: object) => {
    const profile = {user: {...user, ...entitlement}, capabilities: {}};
    const {asked, run} = await accountAt(jsonAnswer(profile));
    const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
    return readAccess({...asked, token: `e30.${payload}.x`}, run);
  };
  const bySubject = (id: string) => ({type: 'service_account', entitlement_claim: 'sub', entitlement_values: [id]});
  const about = {url: controlPlane.controlPlaneUrl};

  test('is told which claim counts, and what an administrator applies', () => {
    expect(worded(noRole(none, controlPlane))).toMatchObject({
      code: 'auth-no-role',
      message:
        'You are signed in, but https://api.acme.example has no role for this account, so it can’t do anything. ' +
        'Roles are bound to the claim “groups” of the token, which is developers, cooks. ' +
        'A binding to a person’s name, e-mail address or “sub” has no effect.',
      remedy: expect.stringMatching(
        /^Ask an administrator \(by default, a member of the group “platform-engineers”\) to apply this role binding\. It gives the role “developer”, which can build and deploy components, and read their logs\. Every member of the group “developers” gets this role, not only you\. It takes effect within a second\. If the platform has just been upgraded, wait a minute first: its roles may not be back yet\. Other roles: cluster-reader \(.*, sre \(.*\), platform-engineer \(.*\), admin \(do everything, and give roles\)\.\n\nkubectl apply[\s\S]*claim: groups\n {4}value: developers\n[\s\S]*name: developer\n/,
      ),
      about,
    });
  });

  test('that is a client is called by what counts, and gets a role for itself', () => {
    const {message, remedy} =
      noRole({...none, type: 'service_account', isPerson: false, claim: 'sub', values: ['ci']}, controlPlane) ?? {};
    expect(message).toMatch(/^ci is signed in, but .* which is ci\.$/);
    expect(remedy).not.toContain('Every member');
  });

  test.each([
    ['user', true, /^You are signed in.*, which this token does not have\. A binding/],
    [
      'service_account',
      false,
      /^The client is signed in.*Roles are bound to the claim “groups”, which this token does not have\.$/,
    ],
  ])('and without the claim is told to get one (%s)', (type, isPerson, message) => {
    expect(
      worded(noRole({...none, type, isPerson, values: []}, {...controlPlane, contact: 'help@acme.example'})),
    ).toMatchObject({
      code: 'auth-no-role',
      message: expect.stringMatching(message),
      remedy:
        'Ask the identity provider’s operators to put “groups” into the token, then ask an administrator (contact: help@acme.example) to bind a role to it.',
      about,
    });
  });

  test('is told what to apply for the project that it asked for', () => {
    const {remedy} = worded(noRole(none, controlPlane, {namespace: 'default', project: 'shop'})) ?? {};
    expect(remedy).toMatch(/namespace: default\n[\s\S]*project: shop\n/);
  });

  test('whose subject is an ID is called by its client ID', async () => {
    const id = '5b1d0f6e-8a0c-4f5e-9a53-1f6b6f2d1a01';
    const access = await accessWith({sub: id, client_id: 'ci'}, bySubject(id));
    expect(describeAccess(access)).toBe(`no role for the claim “sub” (${id}, client ci)`);
    const {message, remedy} = worded(noRole(access, controlPlane)) ?? {};
    expect(message).toMatch(new RegExp(`^ci is signed in, .* “sub” of the token, which is ${id}\\.$`));
    expect(remedy).toMatch(new RegExp(`name: ci-developer\n[\\s\\S]*value: "${id}"\n`));
    // An account that is known by its client ID needs no second name.
    expect(await accessWith({sub: id, client_id: id}, bySubject(id))).not.toHaveProperty('called');
  });

  test('that is a person of no group is addressed as one, and gets a role by the subject', async () => {
    const id = '01a21197-80c6-7070-9ff5-b6a2f4b6f1a2';
    const claims = {
      sub: id,
      client_id: 'openchoreo-cli',
      username: 'jane@acme.example',
      grant_type: 'authorization_code',
    };
    const access = await accessWith(claims, bySubject(id));
    expect(describeAccess(access)).toBe(`no role for the claim “sub” (${id}, jane@acme.example)`);
    const {message, remedy} = worded(noRole(access, controlPlane)) ?? {};
    expect(message).toBe(
      'You are signed in, but https://api.acme.example has no role for this account, so it can’t do anything. ' +
        `The platform finds no group in the token, so roles are bound to its claim “sub”, which is ${id}. ` +
        'If the token ever names a group, only the roles of that group will count.',
    );
    expect(remedy).toMatch(new RegExp(`name: jane-acme-example-developer\n[\\s\\S]*claim: sub\n    value: "${id}"\n`));
    expect(remedy).not.toMatch(/openchoreo-cli|Every member/);
    const {username, ...unnamed} = claims;
    expect(username).toBe('jane@acme.example');
    const nameless = noRole(await accessWith(unnamed, bySubject(id)), controlPlane);
    expect(worded(nameless)?.remedy).toContain(`name: ${id}-developer\n`);
    expect(nameless?.message).toMatch(/^You are/);
  });

  test('that is a client in a group is called by its client ID, and shares the role with the group', async () => {
    const groups = {type: 'user', entitlement_claim: 'groups', entitlement_values: ['robots']};
    const access = await accessWith({sub: 'ci', client_id: 'ci', groups: ['robots']}, groups);
    expect(describeAccess(access)).toBe('no role for the claim “groups” (robots, client ci)');
    const {message, remedy} = worded(noRole(access, controlPlane)) ?? {};
    expect(message).toMatch(
      /^ci is signed in, .* “groups” of the token, which is robots\. A binding to its client ID or “sub” has no effect\.$/,
    );
    expect(remedy).toContain('Every member of the group “robots” gets this role, not only ci. ');
    expect(remedy).toMatch(/name: robots-developer\n[\s\S]*claim: groups\n {4}value: robots\n/);
  });

  test('is told the role for the tools that it uses', () => {
    const {remedy} = worded(noRole(none, controlPlane, {purpose: 'run'})) ?? {};
    expect(remedy).toMatch(/“sre”[\s\S]*\n {8}name: sre\n/);
    expect(remedy).toContain('developer (');
  });

  test('is told to make the role where the release has only one that may do everything', () => {
    const {remedy} = worded(noRole(none, {...controlPlane, version: '0.16.0'})) ?? {};
    expect(remedy).toMatch(/Other roles: super-admin \(do everything, and give roles\)\.\n\n/);
    expect(remedy).toMatch(/kind: AuthzClusterRole\n[\s\S]*- component:\*\n[\s\S]*---\n[\s\S]*name: developer\n/);
    expect(remedy).not.toMatch(/name: super-admin/);
  });

  test('is told nothing to apply where the release has no role to bind', () => {
    const found = noRole(none, {...controlPlane, version: '0.14.0'});
    expect(found).toMatchObject({code: 'auth-no-role', about});
    expect(worded(found)?.remedy).not.toContain('kubectl');
  });

  test.each<AccountAccess>([{kind: 'unknown'}, {...none, kind: 'some'}, {...none, kind: 'all'}])(
    'is not one with %j',
    access => {
      expect(noRole(access, controlPlane)).toBeUndefined();
    },
  );
});

describe('the role that is missing', () => {
  test('is named in the form of the release that is known', async () => {
    const {asked, run, calls} = await accountAt(jsonAnswer(allowing()));
    expect(worded(await missingRole(asked, run))?.remedy).toContain('kubectl apply');
    expect(calls).toEqual([bundled.paths.profile]);
  });

  test('is named for the project that was asked for', async () => {
    const {asked, run} = await accountAt(jsonAnswer(allowing()));
    const found = await missingRole(asked, run, {namespace: 'default', project: 'shop'});
    expect(worded(found)?.remedy).toContain('project: shop');
  });

  test('is named in the form of the release that the control plane tells of itself', async () => {
    const {asked, run} = await accountAt(jsonAnswer(allowing()), {version: '', says: jsonAnswer({version: '0.14.0'})});
    const found = await missingRole(asked, run);
    expect(found?.code).toBe('auth-no-role');
    expect(worded(found)?.remedy).not.toContain('kubectl');
  });

  test.each<[string, Answer]>([
    ['no version', jsonAnswer({version: 1})],
    ['a failure, with a version in it', jsonAnswer({version: '0.14.0'}, 500)],
    ['no JSON', textAnswer('hello')],
  ])('is named in the newest form with %s', async (_, says) => {
    const {asked, run} = await accountAt(jsonAnswer(allowing()), {version: '', says});
    expect(worded(await missingRole(asked, run))?.remedy).toContain('kubectl apply');
  });

  test('is none where there is one, or where nobody says, and no release is asked for then', async () => {
    for (const profile of [jsonAnswer(allowing('*')), textAnswer('no', 404)]) {
      const {asked, run, calls} = await accountAt(profile, {version: ''});
      expect(await missingRole(asked, run)).toBeUndefined();
      expect(calls).toEqual([bundled.paths.profile]);
    }
  });

  test.each<[string, (stop: AbortController) => Error]>([
    [
      'by who was told to stop',
      stop => {
        const reason = new Error('Stop.');
        stop.abort(reason);
        return reason;
      },
    ],
    ['by a fault of ours', () => new TypeError('oops')],
  ])('is not looked for any further %s', async (_, fail) => {
    const stop = new AbortController();
    const {asked, run} = await accountAt(jsonAnswer(allowing()), {version: '', signal: stop.signal});
    let calls = 0;
    let error: Error | undefined;
    const send: typeof run.ports.http.send = (...call) => {
      calls += 1;
      if (calls === 1) return run.ports.http.send(...call);
      error = fail(stop);
      return Promise.reject(error);
    };
    const failing = {...run, ports: {...run.ports, http: {...run.ports.http, send}}};
    const caught = await missingRole(asked, failing).catch(one => one);
    expect(caught).toBe(error);
    expect(caught).toBeInstanceOf(Error);
  });
});

test('a role is required, and said in a few words', async () => {
  const require = async (profile: Answer) => {
    const {asked, run} = await accountAt(profile);
    return requireRole(asked, run);
  };
  const may = (...actions: readonly string[]) => ({
    user,
    capabilities: Object.fromEntries(actions.map(action => [action, {allowed: [{path: '*'}]}])),
  });
  const who = 'for the claim “groups” (developers, cooks)';
  expect(await require(jsonAnswer(may('component:view', 'clusterauthzrolebinding:create')))).toBe(
    `a role for everything, ${who}`,
  );
  expect(await require(jsonAnswer(may('component:view', 'component:create')))).toBe(
    `a role for 2 kinds of actions, 1 of which makes changes, in the whole platform, ${who}`,
  );
  expect(await require(jsonAnswer(allowing('*')))).toBe(
    `a role for 1 kind of action, read-only, in the whole platform, ${who}`,
  );
  expect(await require(jsonAnswer(allowing('ns/a', 'ns/b')))).toBe(
    `a role for 1 kind of action, read-only, in ns/a, ns/b, ${who}`,
  );
  expect(await require(jsonAnswer(may('component:view', 'trait:view')))).toContain('all of them read-only,');
  expect(await require(jsonAnswer(may('component:exec')))).toContain('1 kind of action, which makes changes,');
  expect(await require(jsonAnswer(may('component:exec', 'trait:update', 'trait:view')))).toContain(
    '2 of which make changes,',
  );
  expect(await require(textAnswer('no', 404))).toBeUndefined();
  await expect(require(jsonAnswer(allowing()))).rejects.toMatchObject({code: 'auth-no-role'});
});

test('what is known already is said in a few words', () => {
  const nobody = {kind: 'none', type: 'user', isPerson: true, paths: [], ...nowhere} as const;
  expect(describeAccess({kind: 'unknown'})).toBe('the control plane does not say what the account may do');
  expect(describeAccess({...nobody, claim: 'sub', values: ['u-1']})).toBe('no role for the claim “sub” (u-1)');
});
