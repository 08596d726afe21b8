import {describe, expect, test} from 'vitest';
import {Secret} from '../../../../src/domain/secret.ts';
import type {Answers} from '../../../../src/state/model.ts';
import {client} from '../../../../src/state/steps/sign-in/client.ts';
import {at} from '../../../support/states.ts';

const having = (answers: Answers) => ({...at.client, answers});

test('a client is asked for where it signs in by a secret that the person has, unless one is signed in', () => {
  expect(client.when(having({signIn: 'mcp-client'}))).toBe(true);
  expect(client.when(having({signIn: 'service-account'}))).toBe(true);
  expect(client.when(having({signIn: 'browser'}))).toBe(false);
  expect(client.when(having({signIn: 'mcp-client', resume: 'renew'}))).toBe(false);
  expect(client.when(having({signIn: 'mcp-client', resume: 'sign-in'}))).toBe(true);
});

test('it is asked once', () => {
  expect([client.done(having({})), client.done(having({clientEntered: true}))]).toEqual([false, true]);
  expect(client.forgets).toEqual({answers: ['clientEntered'], facts: []});
});

describe('the form', () => {
  test('says how the secret is sent', () => {
    expect(client.ask(having({signIn: 'service-account'})).explanation).toContain('client_secret_post');
    expect(client.ask(having({signIn: 'mcp-client'})).explanation).toContain('client_secret_basic');
  });

  test('has the name that was given, else the usual one of an MCP client', () => {
    expect(client.ask(having({signIn: 'mcp-client', clientId: 'mine'})).name).toEqual({
      label: 'Client ID',
      initial: 'mine',
      isKnown: true,
    });
    expect(client.ask(having({signIn: 'mcp-client'})).name).toMatchObject({initial: 'mcp_client', isKnown: false});
    expect(client.ask(having({signIn: 'service-account'})).name).toMatchObject({initial: '', isKnown: false});
  });

  test('has the MCP client that the installation made, from the release on that makes one', () => {
    const on = (version: string) => {
      const state = having({signIn: 'mcp-client'});
      const {deployment} = state.facts;
      if (!deployment) throw new Error('A client is asked for once the platform is found.');
      return client.ask({...state, facts: {...state.facts, deployment: {...deployment, version}}}).name.initial;
    };
    expect([on('0.14.0'), on('1.2.3')]).toEqual(['mcp_client', 'service_mcp_client']);
  });

  test('reads a secret that was copied with its header, and answers with both', () => {
    const {secret, toEvent} = client.ask(having({signIn: 'mcp-client'}));
    expect(secret.read('Bearer the-secret')).toBe('the-secret');
    const typed = new Secret('the-secret');
    expect(toEvent('mine', typed)).toStrictEqual({
      type: 'answered',
      answers: {clientId: 'mine', clientSecret: typed, clientEntered: true},
    });
  });
});
