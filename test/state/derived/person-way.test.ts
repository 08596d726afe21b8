import {expect, test} from 'vitest';
import {contextOf, personWay} from '../../../src/state/derived/wizard-context.ts';
import type {Settings, WizardState} from '../../../src/state/model.ts';
import {contextAt} from '../../support/context.ts';
import {at} from '../../support/states.ts';

const start: WizardState = {...at['obtain-token'], answers: {signIn: 'browser', deploymentAccepted: true}};

const having = (settings: Partial<Settings>): WizardState => ({...start, settings: {...start.settings, ...settings}});

test('a person signs in by the browser that is opened here, and comes back to the platform’s own address', () => {
  const {callbackUrl} = start.settings.platform;
  expect(personWay(start)).toEqual({by: 'browser', open: true, redirectUri: callbackUrl, assumesPkce: false});
  const saved = {...contextAt('http://idp'), redirectUri: 'http://saved/cb'};
  expect(personWay(having({saved}))).toMatchObject({redirectUri: 'http://saved/cb'});
  expect(personWay(having({saved, redirectUri: 'http://flag/cb'}))).toMatchObject({redirectUri: 'http://flag/cb'});
  expect(personWay({...start, answers: {signInBy: 'paste'}})).toMatchObject({by: 'paste'});
});

test('an identity provider that does not list PKCE is gone on with where the person said so, now or before', () => {
  expect(personWay(having({assumesPkce: true}))).toMatchObject({assumesPkce: true});
  expect(personWay({...start, answers: {...start.answers, assumesPkce: true}})).toMatchObject({assumesPkce: true});
  const saved = {...contextAt('http://idp'), assumesPkce: true} as const;
  expect(personWay(having({saved}))).toMatchObject({assumesPkce: true});
  const anew = {...having({saved}), answers: {...start.answers, resume: 'anew'}} as const;
  expect(personWay(anew)).toMatchObject({assumesPkce: false});
});

test('a person who typed a code last time types one again, unless they say otherwise or ask for an address', () => {
  const saved = {...contextAt('http://idp'), signInBy: 'device'} as const;
  const again = {...having({saved}), answers: {...start.answers, resume: 'sign-in'}} as const;
  expect(personWay(again)).toMatchObject({by: 'device'});
  expect(personWay(having({saved, login: true}))).toMatchObject({by: 'device'});
  expect(personWay({...again, answers: {...again.answers, signInBy: 'browser'}})).toMatchObject({by: 'browser'});
  expect(personWay({...again, settings: {...again.settings, wantsAddress: true}})).toMatchObject({by: 'browser'});
  expect(personWay({...again, answers: {...start.answers, resume: 'anew'}})).toMatchObject({by: 'browser'});
});

test('a code is remembered for the next sign-in of a person, and forgotten once they use the browser', () => {
  const byCode = {...start, answers: {...start.answers, signInBy: 'device'}} as const;
  expect(contextOf(byCode)).toMatchObject({signIn: 'browser', signInBy: 'device'});
  expect(contextOf(start)).not.toHaveProperty('signInBy');
  const saved = {...contextAt('http://idp'), signInBy: 'device'} as const;
  const kept = {...having({saved}), answers: {...start.answers, resume: 'connect'}} as const;
  expect(contextOf(kept)).toMatchObject({signInBy: 'device'});
  const browser = {...kept, answers: {...start.answers, resume: 'sign-in', signInBy: 'browser'}} as const;
  expect(contextOf(browser)).not.toHaveProperty('signInBy');
});
