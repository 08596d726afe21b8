import {describe, expect, test} from 'vitest';
import type {CompanyFile} from '../../../../src/platform/company-file.ts';
import {judgeCompany} from '../../../../src/platform/company-file.ts';
import {platforms} from '../../../../src/platform/platforms.ts';
import {contextOf} from '../../../../src/state/derived/wizard-context.ts';
import {kindsIn, platformOf} from '../../../../src/state/derived/wizard-deployment.ts';
import type {WizardState} from '../../../../src/state/model.ts';
import {initialState} from '../../../../src/state/model.ts';
import {reduce} from '../../../../src/state/reducer.ts';
import {assistants} from '../../../../src/state/steps/assistants/assistants.ts';
import {companyFile} from '../../../../src/state/steps/deployment/company-file.ts';
import {findDeployment} from '../../../../src/state/steps/deployment/find-deployment.ts';
import {signIn} from '../../../../src/state/steps/sign-in/sign-in.ts';
import {currentStep, stepBefore} from '../../../../src/state/steps.ts';
import {questionIn} from '../../../support/standing-wizard.ts';
import {at, deployment, settings} from '../../../support/states.ts';

const source = 'https://acme.example/.well-known/platform-setup.json';

const file = async (more: object = {}): Promise<CompanyFile> => {
  const judged = await judgeCompany(
    {
      ...{schemaVersion: 1, name: 'Acme', baseDomain: 'acme.example', extends: 'bundled', contact: '#platform'},
      documentation: [{title: 'Handbook', url: 'https://docs.acme.example/'}],
      platform: {labels: {observer: 'watch'}, paths: {health: '/up'}, cliClient: {clientId: 'acme-cli'}},
      defaults: {scope: 'project', tools: 'build', signIn: 'browser', assistants: ['cursor', 'zed']},
      ...more,
    },
    '0.1.0',
  );
  if (!('company' in judged)) throw new Error(JSON.stringify(judged));
  return {source, company: judged.company};
};

const start = (more: Partial<WizardState> = {}): WizardState => ({
  ...initialState({...settings, kinds: platforms}, {baseDomain: 'acme.example'}),
  ...more,
});

const withFile = async (facts: WizardState['facts'] = {}) =>
  start({facts: {companyFile: {baseDomain: 'acme.example', file: await file()}, ...facts}});

const taking = (state: WizardState, label: string): WizardState => {
  const offer = questionIn(state).offers.find(one => one.label === label);
  if (!offer || !('event' in offer)) throw new Error(`There is no offer ${label}.`);
  return reduce(state, offer.event);
};

describe('a company file', () => {
  test('is shown with what it changes before it counts', async () => {
    const state = await withFile();
    expect(currentStep(state).id).toBe('company-file');
    const {heading, about, offers, initial} = questionIn(state);
    expect(heading).toBe('Use the company file of Acme?');
    expect(offers.map(({label}) => label)).toEqual(['Use it', 'Go on without it']);
    expect(initial).toBe(0);
    expect(about).toEqual([
      {type: 'text', text: `It comes from ${source}.`, tone: 'dim'},
      {
        type: 'table',
        rows: [
          ['Base domain', 'acme.example'],
          ['Contact', '#platform'],
          ['Handbook', 'https://docs.acme.example/'],
          ['Observer', 'watch.acme.example'],
          ['CLI client', 'acme-cli'],
        ],
      },
      {type: 'text', text: 'It also changes paths.health.'},
      {type: 'text', text: 'It suggests assistants cursor, zed; scope project; tools build; sign-in browser.'},
    ]);
    expect(kindsIn(state)).toBe(platforms);
  });

  test('that is used begins the search again under its names, and is kept with the deployment', async () => {
    const state = taking(await withFile({deployment}), 'Use it');
    expect(currentStep(state).id).toBe('find-deployment');
    expect(state.facts.deployment).toBeUndefined();
    const kinds = kindsIn(state);
    expect(kinds.map(({labels}) => labels.observer)).toEqual(['watch']);
    const {changes: descriptor} = kinds[0] ?? {};
    if (!descriptor) throw new Error('It changes something.');
    const {token, cliClient} = at.done.facts as WizardState['facts'];
    const found = {
      ...state,
      facts: {
        ...state.facts,
        deployment: {...deployment, descriptor},
        ...(token ? {token} : {}),
        ...(cliClient ? {cliClient} : {}),
      },
    };
    expect(currentStep(found).id).toBe('deployment');
    expect(stepBefore(found)).toBe('company-file');
    expect(platformOf(found).labels.observer).toBe('watch');
    expect(contextOf(found)).toMatchObject({platform: 'bundled', descriptor: {labels: {observer: 'watch'}}});
    expect(companyFile.receipts(found)).toEqual([{label: 'Company file', text: source}]);
  });

  test('that is left aside leaves the platform as it was found', async () => {
    const state = taking(await withFile({deployment}), 'Go on without it');
    expect(currentStep(state).id).toBe('deployment');
    expect(kindsIn(state)).toBe(platforms);
    expect(contextOf({...state, facts: {...state.facts, ...tokenFacts}})).not.toHaveProperty('descriptor');
    expect(companyFile.receipts(state)).toEqual([]);
  });

  test('that is left aside where nothing was found has the search say so', async () => {
    expect(currentStep(taking(await withFile(), 'Go on without it')).id).toBe('find-deployment');
  });

  test('of one base domain says nothing of another', async () => {
    const used = taking(await withFile(), 'Use it');
    const other = reduce(used, {type: 'answered', answers: {baseDomain: 'other.example', addresses: {}}});
    expect(other.answers.company).toBeUndefined();
    expect(currentStep(other).id).toBe('find-deployment');
    expect(kindsIn(other)).toBe(platforms);
  });

  test('stays in use where only an address is changed', async () => {
    const used = taking(await withFile(), 'Use it');
    const found = {...used, facts: {...used.facts, deployment}};
    const change = questionIn(found).offers.find(({label}) => label === 'Change an address');
    const [first] = change && 'offers' in change ? change.offers : [];
    if (!first || !('ask' in first)) throw new Error('Each address can be changed.');
    const next = reduce(found, first.toEvent('https://other.acme.example'));
    expect(kindsIn(next).map(({labels}) => labels.observer)).toEqual(['watch']);
  });

  test('that was named says nothing of another platform that is typed', async () => {
    const named = start({settings: {...settings, kinds: platforms, companyFile: await file()}});
    const used = taking(named, 'Use it');
    expect(kindsIn(used)).toHaveLength(1);
    const other = reduce(used, {type: 'answered', answers: {baseDomain: 'other.example', addresses: {}}});
    expect(currentStep(other).id).toBe('find-deployment');
    expect(kindsIn(other)).toBe(platforms);
  });

  test('is asked about again by who goes back to it', async () => {
    const used = taking(await withFile(), 'Use it');
    expect(currentStep(reduce(used, {type: 'went-back', to: 'company-file'})).id).toBe('company-file');
  });

  test('is no question for a saved deployment that is gone on with', async () => {
    const state = await withFile();
    expect(companyFile.when({...state, answers: {...state.answers, resume: 'connect'}})).toBe(false);
  });
});

const {token} = at.done.facts as WizardState['facts'];
const tokenFacts = token ? {token} : {};

describe('without a terminal', () => {
  test('one that was named counts', async () => {
    const state = start({settings: {...settings, kinds: platforms, companyFile: await file()}});
    expect(currentStep(state).id).toBe('company-file');
    expect(companyFile.defaultAnswer(state, false)).toMatchObject({company: 'use'});
  });

  test('one that was found counts where there is no platform without it, and --yes accepts that', async () => {
    const state = await withFile();
    expect(companyFile.defaultAnswer(state, true)).toMatchObject({company: 'use'});
    expect(companyFile.defaultAnswer(state, false)).toBeUndefined();
    expect(companyFile.inputRequired(state)).toMatchObject({
      code: 'input-required',
      remedy: `Pass --platform ${source} to use that company file.`,
    });
  });

  test.each([true, false])('one that was found is not needed where there is one (--yes: %s)', async yes => {
    expect(companyFile.defaultAnswer(await withFile({deployment}), yes)).toEqual({company: 'without'});
    const several = await withFile({deploymentChoices: []});
    expect(companyFile.defaultAnswer(several, yes)).toEqual({company: 'without'});
  });

  test('how to use it is told as it is found', () => {
    const {line} = findDeployment.eventTexts['company-file-found'];
    const told = line({type: 'company-file-found', source, name: 'Acme'});
    expect(told).toBe(`Company file of Acme: ${source}. To use it, pass --platform ${source}.`);
  });
});

describe('what it suggests', () => {
  const using = async (defaults?: object): Promise<WizardState> => {
    const found = {baseDomain: 'acme.example', file: await file(defaults ? {defaults} : {})};
    const state = taking(start({facts: {companyFile: found}}), 'Use it');
    return {...state, answers: {...state.answers, deploymentAccepted: true}, facts: {...state.facts, deployment}};
  };
  const choosing = async (defaults?: object): Promise<WizardState> => {
    const state = await using(defaults);
    const {facts, answers}: WizardState = at.assistants;
    const here = (facts.found ?? []).map(one => ({...one, installed: true}));
    return {...state, answers: {...answers, ...state.answers}, facts: {...facts, found: here, ...state.facts}};
  };

  test('is the way to sign in, unless flags or an earlier sign-in say otherwise', async () => {
    expect(questionIn(await using()).initial).toBe(0);
    const asked = await using({signIn: 'service-account'});
    expect(questionIn(asked).initial).toBe(3);
    expect(signIn.defaultAnswer(asked, false)).toEqual({signIn: 'service-account'});
    expect(questionIn({...asked, settings: {...asked.settings, suggested: 'mcp-client'}}).initial).toBe(2);
  });

  test('is what assistants get, unless flags say otherwise', async () => {
    const state = await choosing();
    const {initial} = assistants.ask(state, 0);
    expect(initial).toEqual({ticked: new Set(['cursor']), scope: 'project', method: 'auto', tools: 'build'});
    expect(assistants.defaultAnswer(state)).toEqual({
      connect: {assistants: ['cursor'], scope: 'project', method: 'auto', tools: 'build'},
    });
    const said = {...state, settings: {...state.settings, connect: {scope: 'user', tools: 'all'} as const}};
    expect(assistants.defaultAnswer(said)).toEqual({
      connect: {assistants: ['cursor'], scope: 'user', method: 'auto', tools: 'all'},
    });
  });

  test('is nothing where none of its assistants is here', async () => {
    const state = await choosing({assistants: ['zed']});
    expect(assistants.defaultAnswer(state)).toMatchObject({connect: {assistants: 'detected'}});
  });
});
