import {describe, expect, test} from 'vitest';
import {remedyText} from '../../src/errors/describe-error.ts';
import {SetupError} from '../../src/errors/errors.ts';
import type {Untrusted} from '../../src/flows/deployment/untrusted.ts';
import {failureOf, toError} from '../../src/state/failure.ts';
import {at} from '../support/states.ts';

const refused = new SetupError('network-refused', 'Nothing listens there.', {
  remedy: 'Start it.',
  about: {url: 'http://api.acme.localhost:8080/health'},
});

describe('an error as it is shown', () => {
  test('has its step, its facts, and whose turn it is', () => {
    expect(failureOf(refused, 'check', at.check)).toEqual({
      step: 'check',
      code: 'network-refused',
      message: 'Nothing listens there.',
      remedy: 'Start it.',
      whose: 'either',
      headline: 'The control plane is not running, or not at this address',
      about: {url: 'http://api.acme.localhost:8080/health', server: 'http://api.acme.localhost:8080'},
    });
  });

  test('is ours where nobody translated it', () => {
    expect(failureOf(new TypeError('x is not a function'), 'check', at.check)).toMatchObject({
      code: 'bug',
      whose: 'us',
      headline: 'This program has a bug',
      message: 'x is not a function',
    });
  });

  test.each([
    ['http://idp.acme.localhost:8080/oauth2/token', 'The identity provider does not answer'],
    ['http://observer.acme.localhost:11080', 'The observer does not answer'],
    ['http://observer.acme.localhost:11080/mcp', 'The MCP server of the observer does not answer'],
    ['http://api.acme.localhost:8080/mcp', 'The MCP server of the control plane does not answer'],
    ['http://elsewhere.example', 'The server does not answer'],
  ])('names the part that it is about: %s', (url, headline) => {
    const late = new SetupError('network-timeout', 'No answer.', {about: {url}});
    expect(failureOf(late, 'check', at.check)).toMatchObject({headline});
  });

  test('names the part by its origin if the address itself is none', () => {
    const about = {url: 'not an address', server: 'http://api.acme.localhost:8080'};
    const late = new SetupError('network-timeout', 'No answer.', {about});
    expect(failureOf(late, 'check', at.check)).toMatchObject({headline: 'The control plane does not answer'});
  });

  test('names the part of a deployment that is not known yet as the server', () => {
    const late = new SetupError('network-timeout', 'No answer.', {about: {url: 'http://idp.acme.localhost:8080'}});
    expect(failureOf(late, 'find-deployment', at['find-deployment'])).toMatchObject({
      headline: 'The server does not answer',
    });
  });

  test('has the lines that its remedy ends with beside it', () => {
    const block = 'kubectl apply -f - <<END\nkind: X\n\nEND';
    const error = new SetupError('bug', 'No.', {remedy: ['Run this:', {block}]});
    const failure = failureOf(error, 'check', at.check);
    expect(failure).toMatchObject({remedy: 'Run this:', block});
    expect(remedyText(toError(failure))).toBe(`Run this:\n\n${block}`);
  });
});

describe('a client that was created', () => {
  const failed = (state: Parameters<typeof failureOf>[2]) => failureOf(refused, 'obtain-token', state).message;

  test('is there, and nobody has to create it again', () => {
    const state = {...at['obtain-token'], created: ['mcp_client']};
    const byClient = {...state, answers: {...state.answers, signIn: 'create-mcp-client'}} as const;
    expect(failed(byClient)).toBe(
      'Nothing listens there. The secret of the MCP client mcp_client is saved. The next run continues with it.',
    );
    // A demonstration has no next run, unless its files are kept.
    const demoOf = (isKept: {readonly isKept?: true}) => ({
      ...byClient,
      settings: {...state.settings, demo: {directory: '/tmp/demo', ...isKept}},
    });
    expect(failed(demoOf({}))).toBe('Nothing listens there. The secret of the MCP client mcp_client is saved.');
    expect(failed(demoOf({isKept: true}))).toMatch(/The next run continues with it\.$/);
    // The next run signs in as the person.
    const byPerson = {...state, answers: {...state.answers, signIn: 'browser'}} as const;
    expect(failed(byPerson)).toBe('Nothing listens there. The secret of the MCP client mcp_client is saved.');
  });

  test('is named with the others', () => {
    const state = {...at['obtain-token'], created: ['mcp_client', 'mcp_client_assistants', 'mcp_client']};
    expect(failed(state)).toMatch(/The secrets of the MCP clients mcp_client and mcp_client_assistants are saved\./);
  });

  test('is not spoken of once everything is written', () => {
    expect(failed({...at.verify, created: ['mcp_client']})).toBe('Nothing listens there.');
  });
});

describe('a server that nobody here trusts', () => {
  const untrusted = (change: Partial<Untrusted>): Untrusted => ({
    origin: 'https://api.acme.example.com',
    anchor: {subject: 'Acme CA', issuer: 'Acme CA', validTo: 0, fingerprint: 'AB:CD', pem: 'PEM'} as never,
    isWhole: true,
    ...change,
  });
  const shown = (change: Partial<Untrusted>) => failureOf(refused, 'check', at.check, untrusted(change));

  test('is shown with who vouches for it', () => {
    const failure = shown({});
    expect(failure.message).toBe('Nothing listens there.');
    expect(failure.remedy).toMatch(/^Compare the fingerprint .* --ca-file FILE\.$/);
    expect(failure.block).toMatch(
      /^Certificate authority: Acme CA\nSHA-256 fingerprint AB:CD\nValid until 1970-01-01$/,
    );
    expect(failure.untrusted).toEqual(untrusted({}));
    expect(failureOf(refused, 'check', at.check)).not.toHaveProperty('untrusted');
  });

  test('keeps its own remedy where the chain is not whole: nothing is there to be compared', () => {
    const {remedy, block} = shown({isWhole: false});
    expect(remedy).toBe('Start it.');
    expect(block).toMatch(/^Signed by Acme CA, whose certificate/);
  });

  test('is not itself to blame where a product intercepts the connection', () => {
    const failure = shown({interceptor: 'Zscaler'});
    expect(failure.message).toMatch(
      /^Zscaler intercepts the connection to https:\/\/api\.acme\.example\.com, and signs/,
    );
    expect(failure.remedy).toMatch(/^If your company runs it, .*\.$/);
    expect(failure.block).toMatch(/^Certificate authority: Acme CA\n/);
    expect(failure.untrusted?.interceptor).toBe('Zscaler');
  });
});

test('a failure is an error again for who is told of it after the wizard', () => {
  const error = toError(failureOf(refused, 'check', at.check));
  expect(error).toMatchObject({
    code: 'network-refused',
    message: 'Nothing listens there.',
    remedy: 'Start it.',
    about: {url: 'http://api.acme.localhost:8080/health', server: 'http://api.acme.localhost:8080'},
  });
  expect(
    toError({step: 'check', code: 'bug', message: 'No.', remedy: '', whose: 'us', headline: 'It failed'}).about,
  ).toEqual({});
});
