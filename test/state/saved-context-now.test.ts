import {expect, test} from 'vitest';
import {asAssistants, type Context, type ContextEntry} from '../../src/domain/context.ts';
import {savedContextNow} from '../../src/state/saved-context-now.ts';
import {temporaryPorts} from '../support/place.ts';
import {deployment, settings} from '../support/states.ts';

const {evidence: _, ...found} = deployment;
const acme: Context = {...found, name: 'acme', signIn: 'browser', clientId: 'cli'};
const entry: ContextEntry = {
  assistant: 'cursor',
  scope: 'user',
  project: '/p',
  method: 'bridge',
  path: '/h/.cursor/mcp.json',
  names: ['acme-control-plane'],
};

const machine = async () => {
  const ports = await temporaryPorts();
  await ports.config.saveContext(acme);
  const [saved] = (await ports.config.read()).contexts;
  if (!saved) throw new Error('Nothing was saved.');
  const now = (saved: Context, facts = {}) => savedContextNow({settings: {...settings, saved}, facts}, ports);
  return {ports, saved, now};
};

test('a context that nobody has changed is not read anew', async () => {
  const {saved, now} = await machine();
  expect(await now(saved)).toBeUndefined();
});

test('the entries of another run are seen, until this run has written its own', async () => {
  const {ports, saved, now} = await machine();
  await ports.config.saveEntries('acme', () => [entry]);
  expect(await now(saved)).toEqual({...saved, entries: [entry]});
  const other = {...saved, clientId: 'other'};
  expect(await now(other, {signInSaved: true})).toEqual({...other, entries: [entry]});
  await ports.config.saveEntries('acme', () => []);
  expect(await now({...other, entries: [entry]}, {signInSaved: true})).toEqual({...other, entries: []});
  expect(await now(saved, {written: {paths: []}})).toBeUndefined();
});

test('addresses from flags stay, and so does the lack of an observer', async () => {
  const {ports, saved, now} = await machine();
  const {observerUrl: __, ...withoutObserver} = saved;
  const overruled = {...withoutObserver, controlPlaneUrl: 'https://other.example'};
  await ports.config.saveEntries('acme', () => [entry]);
  expect(await now(overruled)).toEqual({...overruled, entries: [entry]});
});

test('the account of the assistants is seen as they see it', async () => {
  const {ports, saved, now} = await machine();
  const account = {signIn: 'service-account', clientId: 'bot'} as const;
  await ports.config.saveContext({...saved, assistantsAccount: account});
  const [before] = (await ports.config.read()).contexts;
  const theirs = before && asAssistants(before);
  if (!theirs) throw new Error('The account was not saved.');
  expect(await now(theirs)).toBeUndefined();
  await ports.config.saveContext({...saved, assistantsAccount: {...account, clientId: 'bot-2'}});
  expect(await now(theirs)).toMatchObject({clientId: 'bot-2', actsAs: 'assistants'});
});

test('a context that is gone, or cannot be read, is missed by the step that needs it', async () => {
  const {ports, saved, now} = await machine();
  await ports.config.removeContext('acme');
  expect(await now(saved)).toBeUndefined();
  await ports.files.write(ports.config.path, 'not JSON', {mode: 0o600, journal: false});
  expect(await now(saved)).toBeUndefined();
});
