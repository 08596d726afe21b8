import {describe, expect, test} from 'vitest';
import {asAssistants, type Context} from '../../../../src/domain/context.ts';
import {keyOf} from '../../../../src/domain/credentials.ts';
import {Secret} from '../../../../src/domain/secret.ts';
import type {RunTokens} from '../../../../src/domain/tokens.ts';
import type {PlannedCli} from '../../../../src/flows/own-cli/own-cli-file.ts';
import type {PlannedFile} from '../../../../src/flows/planned-file.ts';
import {openchoreo} from '../../../../src/platform/platforms.ts';
import {contextOf} from '../../../../src/state/derived/wizard-context.ts';
import type {Facts, WizardState} from '../../../../src/state/model.ts';
import {reduce} from '../../../../src/state/reducer.ts';
import {write} from '../../../../src/state/steps/review/write.ts';
import {toLine, toRow} from '../../../../src/state/view/progress.ts';
import {portsIn, temporaryDirectory} from '../../../support/place.ts';
import {at, atAccount, deployment} from '../../../support/states.ts';
import {replaceFlows, runStep} from '../../../support/step-run.ts';

test('what was planned is written once', () => {
  expect(write.when(at.write)).toBe(true);
  expect(write.when({...at.write, settings: {...at.write.settings, login: true}})).toBe(false);
  expect([write.done(at.write), write.done(at.verify)]).toEqual([false, true]);
  expect(write.forgets).toEqual({answers: [], facts: ['written']});
  const failure = {
    step: 'write',
    code: 'local-file-changed',
    whose: 'you',
    headline: 'It failed',
    message: '',
    remedy: '',
  } as const;
  expect(write.recovery(at.write, failure).offers[0]?.label).toBe('Review the changes again');
});

test('whose role is refused when it is granted may go on without it', () => {
  const failure = {step: 'write', whose: 'either', headline: '', message: '', remedy: ''} as const;
  const granting = {...at.write, facts: {...at.write.facts, accountAccess: {manifest: 'kind: Role'}}};
  for (const code of ['auth-permission-missing', 'platform-rejected'] as const) {
    const labels = write.recovery(granting, {...failure, code}).offers.map(({label}) => label);
    expect(labels).toEqual(['Wait for the role', 'Go on without a role']);
    expect(write.recovery(at.write, {...failure, code}).offers).toEqual([]);
  }
  expect(write.recovery(granting, {...failure, code: 'network-refused'}).offers).toEqual([]);
  // The answer reopens the step that looks at the role, and the review after it.
  const next = reduce(
    {...granting, failure: {...failure, code: 'auth-permission-missing'}},
    {type: 'answered', answers: {accountRole: 'without'}},
  );
  expect(next.answers.accountRole).toBe('without');
  expect(next.facts).not.toHaveProperty('accountAccess');
  expect(next.facts).not.toHaveProperty('plan');
});

describe('what is written', () => {
  const writing = async (state: WizardState) => {
    const flows = replaceFlows('assistants/write-files.ts', {writeFiles: {outcome: {paths: ['/x']}}});
    const {result} = await runStep(write, state);
    return {result, input: flows.writeFiles[0]};
  };

  test('is the plan, and the sign-in with it', async () => {
    const {result, input} = await writing(at.write);
    expect(result).toEqual({written: {paths: ['/x']}, undoable: expect.anything()});
    expect(input).toMatchObject({
      plan: at.write.facts.plan,
      context: 'acme',
      signIn: {context: {name: 'acme'}, token: at.write.facts.token},
    });
  });

  test('is the plan alone where the sign-in is kept already', async () => {
    const login = {...at.write, settings: {...at.write.settings, login: true}};
    expect((await writing(login)).input).not.toHaveProperty('signIn');
    const connecting = {...at.write, answers: {...at.write.answers, resume: 'connect'}} as const;
    expect((await writing(connecting)).input).not.toHaveProperty('signIn');
  });

  test('is the file of the platform’s own CLI, after the others', async () => {
    const plannedCli = {name: 'acme'} as never;
    const asked = replaceFlows('own-cli/own-cli-file.ts', {writeOwnCli: {outcome: '/cli'}});
    const {result} = await writing({...at.write, facts: {...at.write.facts, plannedCli}});
    expect(result).toEqual({written: {paths: ['/x', '/cli']}, undoable: expect.anything()});
    expect(asked.writeOwnCli).toEqual([{context: 'acme', planned: plannedCli}]);
  });

  test('is planned again after a renewal that shows whether the CLI can share the refresh token', async () => {
    const file = {summary: '', diff: ''};
    const assistant = {...file, path: '/x', change: 'changed', before: 'as reviewed'} as const;
    const own = {...file, path: '/own', change: 'new', before: null, isOwn: true} as const;
    const cli = {...file, path: '/cli', change: 'changed', before: 'as reviewed'} as const;
    const plannedCli = {file: cli, isUseUnknown: true} as unknown as PlannedCli;
    const state: WizardState = {
      ...at.write,
      settings: {...at.write.settings, platform: openchoreo, kinds: [openchoreo]},
      answers: {...at.write.answers, ownCli: true},
      facts: {
        ...at.write.facts,
        deployment: {...deployment, platform: 'openchoreo'},
        plan: {files: [assistant, own, cli], entries: []},
        plannedCli,
      },
    };
    const ports = portsIn(await temporaryDirectory());
    const context = contextOf(state);
    await ports.credentials.replace(context, {...keyOf(context), accessToken: 'renewed', refreshToken: 'next'});
    const saving = replaceFlows('sign-in/save-sign-in.ts', {saveSignIn: {outcome: undefined}});
    replaceFlows('own-cli/compose-cli.ts', {refreshTokenUse: {outcome: 'used-once'}});
    const planning = replaceFlows('assistants/plan-files.ts', {
      planFiles: {
        outcome: {
          files: [
            {...assistant, before: 'as it is now'},
            {...own, change: 'changed'},
          ],
          entries: [],
        },
        events: [{type: 'warning', message: 'The person has read this.'}],
      },
    });
    const ownCli = replaceFlows('own-cli/own-cli-file.ts', {
      planOwnCli: {outcome: {file: {...cli, before: 'as it is now'}, isTokenAlone: true}},
      writeOwnCli: {outcome: '/cli'},
    });
    const writing = replaceFlows('assistants/write-files.ts', {writeFiles: {outcome: {paths: ['/x']}}});
    const {result, events} = await runStep(write, state, ports);
    expect(saving.saveSignIn).toHaveLength(1);
    expect(events).toEqual([]);
    expect(planning.planFiles).toMatchObject([{tokens: {signIn: new Secret('renewed')}}]);
    expect(ownCli.planOwnCli).toMatchObject([{use: 'used-once'}]);
    // A file that has changed since the person saw the plan is found when it is written.
    expect(writing.writeFiles).toMatchObject([{plan: {files: [assistant, own, cli]}}]);
    expect(ownCli.writeOwnCli).toMatchObject([{planned: {file: cli, isTokenAlone: true}}]);
    expect(result).toMatchObject({
      written: {paths: ['/x', '/cli']},
      signInSaved: true,
      plannedCli: {isTokenAlone: true},
    });
    expect([result.token?.access.reveal(), result.token?.refresh?.reveal()]).toEqual(['renewed', 'next']);
  });

  test('is planned again with a new token if the one of the review has expired', async () => {
    const {token} = at.write.facts;
    if (!token) throw new Error('The person is signed in.');
    const ports = portsIn(await temporaryDirectory());
    const context = contextOf(at.write);
    const written = async (expiresAt: number) => {
      const state = {...at.write, facts: {...at.write.facts, token: {...token, expiresAt}}};
      await ports.credentials.replace(context, {
        ...keyOf(context),
        accessToken: 'renewed',
        expiresAt: Date.now() + 3_600_000,
      });
      replaceFlows('sign-in/save-sign-in.ts', {saveSignIn: {outcome: undefined}});
      const planning = replaceFlows('assistants/plan-files.ts', {planFiles: {outcome: {files: [], entries: []}}});
      replaceFlows('assistants/write-files.ts', {writeFiles: {outcome: {paths: ['/x']}}});
      const {result} = await runStep(write, state, ports);
      return {planned: planning.planFiles, token: result.token?.access.reveal()};
    };
    const renewed = await written(Date.now() - 1);
    expect(renewed.planned).toMatchObject([{tokens: {signIn: new Secret('renewed')}}]);
    expect(renewed.token).toBe('renewed');
    expect(await written(Date.now() + 3_600_000)).toEqual({planned: [], token: undefined});
  });

  test('warns of a file that the review called unchanged, and that a renewed token changes', async () => {
    const {token} = at.write.facts;
    if (!token) throw new Error('The person is signed in.');
    const ports = portsIn(await temporaryDirectory());
    const context = contextOf(at.write);
    const renewed = {...keyOf(context), accessToken: 'renewed', expiresAt: Date.now() + 3_600_000};
    await ports.credentials.replace(context, renewed);
    const file = (path: string, change: string) => ({path, change, summary: '', diff: '', before: ''}) as PlannedFile;
    const files = [file('/same', 'unchanged'), file('/other', 'changed'), file('/left', 'unchanged')];
    const facts = {token: {...token, expiresAt: Date.now() - 1}, plan: {files, entries: []}};
    const state = {...at.write, facts: {...at.write.facts, ...facts}};
    replaceFlows('sign-in/save-sign-in.ts', {saveSignIn: {outcome: undefined}});
    const again = [file('/same', 'changed'), file('/other', 'changed'), file('/left', 'unchanged')];
    replaceFlows('assistants/plan-files.ts', {planFiles: {outcome: {files: again, entries: []}}});
    replaceFlows('assistants/write-files.ts', {writeFiles: {outcome: {paths: ['/same', '/other']}}});
    const {events} = await runStep(write, state, ports);
    const message = 'The token expired during the review, so a new one was written to /same.';
    expect(events).toContainEqual({type: 'warning', message});
  });

  describe('where the assistants have an account of their own', () => {
    const LATER = Date.now() + 3_600_000;

    const writing = async (state: WizardState) => {
      const ports = portsIn(await temporaryDirectory());
      const store = (one: Context, accessToken: string) =>
        ports.credentials.replace(one, {...keyOf(one), accessToken, expiresAt: LATER});
      await store(contextOf(state), 'person');
      const account = state.settings.saved && asAssistants(state.settings.saved);
      if (account) await store(account, 'account');
      replaceFlows('sign-in/save-sign-in.ts', {saveSignIn: {outcome: undefined}, storeSecrets: {outcome: undefined}});
      const signing = replaceFlows('sign-in/client-credentials.ts', {
        signInClient: {outcome: {client: {clientId: 'theirs'}, token: {access: new Secret('new'), expiresAt: LATER}}},
      });
      const planning = replaceFlows('assistants/plan-files.ts', {planFiles: {outcome: {files: [], entries: []}}});
      const granting = replaceFlows('platform-tools/grant-role.ts', {replaceRole: {outcome: {}}});
      replaceFlows('assistants/write-files.ts', {writeFiles: {outcome: {paths: ['/x']}}});
      const {result, events} = await runStep(write, state, ports);
      const [plan] = planning.planFiles as {tokens: RunTokens}[];
      const [grant] = granting.replaceRole as {token: Secret}[];
      return {
        ...{result, events, signedIn: signing.signInClient.length},
        ...{planned: plan?.tokens.signIn.reveal(), grantedWith: grant?.token.reveal()},
      };
    };

    /** Returns a state in which an account was signed in whose token, and the person's, expire then. */
    const created = (expiresAt: number, learnt: Partial<Facts> = {}): WizardState => {
      const {'account-access': state} = atAccount;
      const {token} = state.facts;
      if (!token) throw new Error('The person is signed in.');
      const {plan} = at.write.facts;
      const account = {...state.facts.account, token: {...token, expiresAt}};
      const entryTokens = {signIn: token.access, expiresAt};
      return {...state, facts: {...state.facts, ...(plan ? {plan} : {}), account, entryTokens, ...learnt}};
    };

    test('holds a new token of an account that this run signed in', async () => {
      const {planned, result, events, signedIn} = await writing(created(Date.now() - 1));
      expect(planned).toBe('new');
      expect(result.account?.token?.access.reveal()).toBe('new');
      // The entries are tested with what was written.
      expect(result.entryTokens?.signIn.reveal()).toBe('new');
      expect([events, signedIn]).toEqual([[], 1]);
      expect(await writing(created(LATER))).toMatchObject({planned: undefined, signedIn: 0});
    });

    test('holds a new token of a saved account', async () => {
      const {settings, facts, ...rest} = at.write;
      const assistantsAccount = {clientId: 'theirs', signIn: 'service-account', purpose: 'look'} as const;
      const state = (expiresAt: number): WizardState => {
        const saved = {...contextOf(at.write), assistantsAccount};
        const entryTokens = {signIn: new Secret('old'), expiresAt};
        const answers = {...rest.answers, resume: 'connect'} as const;
        return {...rest, answers, settings: {...settings, saved}, facts: {...facts, entryTokens}};
      };
      const {planned, result} = await writing(state(Date.now() - 1));
      expect([planned, result.entryTokens?.signIn.reveal(), result.token]).toEqual(['account', 'account', undefined]);
      expect((await writing(state(LATER))).planned).toBeUndefined();
    });

    test('comes with a role that a new token of the person grants', async () => {
      const {token} = at.write.facts;
      if (!token) throw new Error('The person is signed in.');
      const accountAccess = {manifest: {kind: 'ClusterAuthzRoleBinding'}} as never;
      const state = created(LATER, {token: {...token, expiresAt: Date.now() - 1}, accountAccess});
      expect((await writing(state)).grantedWith).toBe('person');
      const {accountAccess: _, ...without} = state.facts;
      expect((await writing({...state, facts: without})).planned).toBeUndefined();
    });
  });

  test('is nothing before it is planned', async () => {
    await expect(runStep(write, at.assistants)).rejects.toThrow('Nothing is written before it is planned.');
  });
});

test('what is told', () => {
  const event = {type: 'file-written', path: '/home/ann/x', change: 'changed'} as const;
  expect(toRow(event, at.write.settings)).toEqual({
    ...{key: 'file /home/ann/x', status: 'ok', label: 'Written', value: '~/x'},
  });
  expect(toLine(event, {place: {home: '/home/ann'}})).toBe('Written: ~/x');
  expect(toLine({...event, change: 'unchanged'}, {place: {home: '/home/ann'}})).toBe('Unchanged: ~/x');
  expect(toRow({...event, change: 'unchanged'}, at.write.settings)).toMatchObject({label: 'Unchanged'});
  const demo = {place: {home: '/demo/home'}, demo: {directory: '/demo'}};
  expect(toLine({...event, path: '/demo/home/x'}, demo)).toBe('Written: home/x');
});
