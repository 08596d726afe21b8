import {describe, expect, test} from 'vitest';
import type {FoundDeployment} from '../../../src/domain/context.ts';
import {cancelled, SetupError} from '../../../src/errors/errors.ts';
import {searchBesideCompanyFile} from '../../../src/flows/deployment/find-company-file.ts';
import type {FlowEvent, Run} from '../../../src/flows/flow.ts';
import {COMPANY_FILE_PATH} from '../../../src/platform/addresses.ts';
import {platforms} from '../../../src/platform/platforms.ts';
import type {Clock} from '../../../src/ports/ports.ts';
import {collect, noSignal} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {type Handler, json, serve, serveRoutes, text} from '../../support/server.ts';
import {deployment} from '../../support/states.ts';

const acme = {schemaVersion: 1, name: 'Acme', baseDomain: 'acme.localhost', extends: 'bundled'};
type Search = (run: Run) => Promise<FoundDeployment>;

const finding: Search = async ({tell}) => {
  tell({type: 'warning', message: 'The search has told this.'});
  return {deployment};
};

const failing: Search = async () => {
  throw new SetupError('network-refused', 'Nothing listens.');
};

/** Waits until the signal aborts: time stands still, so that no answer is late. */
const standingStill: Clock['sleep'] = (_, signal) =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason), {once: true}));

const look = async (baseDomain: string, search: Search = finding, {signal = noSignal, sleep = standingStill} = {}) => {
  const ports = await temporaryPorts();
  const input = {baseDomain, platforms, version: '0.1.0', search};
  return collect(searchBesideCompanyFile, input, {...ports, clock: {...ports.clock, sleep}}, signal);
};

/** Returns a base domain whose gateway answers with `handler` at the address of the company file. */
const domainWith = async (handler: Handler, name = 'acme.localhost') => {
  const {port} = new URL(await serveRoutes({[COMPANY_FILE_PATH]: handler}));
  return `${name}:${port}`;
};

const warningsIn = (events: readonly FlowEvent[]) =>
  events.flatMap(event => (event.type === 'warning' ? [event.message] : []));

describe('the company file of a base domain', () => {
  test('is found beside the search', async () => {
    const baseDomain = await domainWith(json(acme));
    const {result, events} = await look(baseDomain);
    const source = `http://${baseDomain}${COMPANY_FILE_PATH}`;
    expect(result).toMatchObject({file: {source, company: {name: 'Acme'}}, found: {deployment}});
    expect(events).toContainEqual({type: 'company-file-found', source, name: 'Acme'});
    expect(warningsIn(events)).toEqual(['The search has told this.']);
  });

  test('makes it no failure that nothing answers under the usual names', async () => {
    const {result} = await look(await domainWith(json(acme)), failing);
    expect(result).toMatchObject({file: {company: {name: 'Acme'}}});
    expect(result.found).toBeUndefined();
  });

  test.each([
    ['nothing', text('not found', 404)],
    ['a web page', text('<!doctype html><p>Welcome')],
    ['an error with JSON', json(acme, 500)],
    ['other text', text('hello')],
  ])('is no news where there is %s', async (_what, handler) => {
    const baseDomain = await domainWith(handler);
    const {result, events} = await look(baseDomain);
    expect(result).toEqual({found: {deployment}});
    expect(warningsIn(events)).toEqual(['The search has told this.']);
    await expect(look(baseDomain, failing)).rejects.toMatchObject({code: 'network-refused'});
  });

  test.each([
    ['names another host', {...acme, documentation: [{title: 'x', url: 'https://evil.example/'}]}, 'host'],
    ['has a secret', {...acme, clientSecret: 'canary'}, 'secret'],
    ['is of another base domain', {...acme, baseDomain: 'evil.localhost'}, 'elsewhere'],
    ['is too large', {...acme, contact: 'x'.repeat(70_000)}, 'large'],
  ])('is not used where it %s, and that is said', async (_what, contents, code) => {
    const {result, events} = await look(await domainWith(json(contents)));
    expect(result).toEqual({found: {deployment}});
    const told = warningsIn(events).join('\n');
    expect(told).toContain(`The company file is not used (input-company-file-${code}).`);
    expect(told).not.toContain('canary');
  });

  test('is not looked for where a redirect leads', async () => {
    let asked = 0;
    const other = await serve((_, response) => {
      asked += 1;
      response.end(JSON.stringify(acme));
    });
    const moved = await domainWith((_, response) => response.writeHead(301, {Location: other}).end());
    expect((await look(moved)).result).toEqual({found: {deployment}});
    expect(asked).toBe(0);
  });

  test('is not asked for at an address that has no names', async () => {
    const {result} = await look('nothing.localhost:1', finding);
    expect(result).toEqual({found: {deployment}});
  });

  test('is not waited for once the platform was found and it does not come', async () => {
    const {result, events} = await look(await domainWith(() => {}), finding, {sleep: async () => {}});
    expect(result).toEqual({found: {deployment}});
    // The search ended before its own timeout.
    expect(JSON.stringify(events)).not.toContain('in time');
  });

  test('is left when somebody stops', async () => {
    await expect(
      look(await domainWith(() => {}), finding, {signal: AbortSignal.abort(cancelled())}),
    ).rejects.toMatchObject({
      code: 'cancelled',
    });
  });
});
