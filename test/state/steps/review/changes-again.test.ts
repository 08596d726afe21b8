import {expect, test} from 'vitest';
import {changesAgain} from '../../../../src/state/steps/review/review.ts';
import {deployment, settings} from '../../../support/states.ts';

const failure = {step: 'write', whose: 'you', headline: 'It failed', message: '', remedy: ''} as const;
const saved = {...deployment, name: 'acme', signIn: 'browser', clientId: 'cli'} as const;
const state = {settings: {...settings, saved}};

test('changes are looked at again where another program has changed a file since, and only there', () => {
  expect(changesAgain({...failure, code: 'local-file-changed'}, state).offers).toEqual([
    {label: 'Review the changes again', event: {type: 'went-back', to: 'plan'}},
  ]);
  expect(changesAgain({...failure, code: 'local-write-failed'}, state)).toEqual({offers: []});
});

test('a deployment that another run has removed is set up again, at the same addresses', () => {
  const {observerUrl: _, ...withoutObserver} = saved;
  const {controlPlaneUrl, authUrl, issuer, baseDomain} = saved;
  const about = {isContextGone: true} as const;
  const {heading, offers} = changesAgain(
    {...failure, code: 'local-file-changed', about},
    {
      settings: {...settings, saved: withoutObserver},
    },
  );
  expect(heading).toBe('acme is no longer set up on this machine');
  const addresses = {controlPlaneUrl, observerUrl: 'none', authUrl, issuer};
  expect(offers).toMatchObject([
    {label: 'Set it up again', event: {type: 'answered', answers: {resume: 'anew', baseDomain, addresses}}},
  ]);
});
