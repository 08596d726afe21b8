import {describe, expect, test} from 'vitest';
import {signInStanding} from '../../../src/domain/sign-in/sign-in-standing.ts';

const now = 1_000_000;
const kept = {issuer: 'https://idp.acme.example', clientId: 'cli', accessToken: 'shh', account: 'ann'};

describe('how a sign-in stands', () => {
  test('is valid for as long as its token is handed out', () => {
    const at = (left: number) => signInStanding({...kept, expiresAt: now + left}, now);
    expect(at(31_000)).toMatchObject({state: 'valid', secondsLeft: 31, account: 'ann'});
    expect(at(30_000)).toMatchObject({state: 'expired', secondsLeft: 30});
    expect(at(-5_000)).toMatchObject({state: 'expired', secondsLeft: 0});
    expect(signInStanding(kept, now)).toMatchObject({state: 'valid'});
  });

  test('ends what would be renewed by it', () => {
    const ended = `x.${Buffer.from(JSON.stringify({exp: 100})).toString('base64url')}.x`;
    const kept = {issuer: 'i', clientId: 'c', accessToken: 'a', refreshToken: ended, expiresAt: 50_000};
    expect(signInStanding(kept, 200_000)).toMatchObject({state: 'expired', renewable: false});
    expect(signInStanding(kept, 90_000)).toMatchObject({state: 'expired', renewable: true});
  });

  test('promises no renewal by a refresh token that has ended, whatever is known of the access token', () => {
    const ended = `x.${Buffer.from(JSON.stringify({exp: 100})).toString('base64url')}.x`;
    const {accessToken: _, ...without} = kept;
    expect(signInStanding({...kept, refreshToken: ended}, now)).toMatchObject({state: 'valid', renewable: false});
    expect(signInStanding({...without, refreshToken: ended}, now)).toMatchObject({state: 'none', renewable: false});
  });

  test('says why the last renewal failed, where another one will be made', () => {
    const failure = {code: 'network-refused', message: 'Nothing listens there.', count: 1};
    const failed = {...kept, refreshToken: 'r', expiresAt: now, failure};
    expect(signInStanding(failed, now)).toMatchObject({state: 'expired', renewable: true, failure: failure.message});
    const refused = {at: now, reason: 'It was refused.'};
    expect(signInStanding({...failed, refused}, now)).not.toHaveProperty('failure');
  });

  test('ends with its token once a renewal was refused', () => {
    const refused = {at: now, reason: 'It was refused.'};
    const standing = signInStanding({...kept, expiresAt: now + 600_000, refused}, now);
    const signInEndsAt = new Date(now + 600_000).toISOString();
    expect(standing).toMatchObject({state: 'valid', renewable: false, signInEndsAt, reason: refused.reason});
  });

  test('may be tried once more where nobody refused that', () => {
    const refused = {at: 1, reason: 'No answer.', isUnanswered: true} as const;
    const kept = {issuer: 'i', clientId: 'c', refreshToken: 'r', refused};
    expect(signInStanding(kept, 2)).toEqual({
      ...{state: 'ended', renewable: false, reason: 'No answer.', mayBeTried: true},
    });
  });

  test('has ended once its token has ended too', () => {
    const refused = {at: now, reason: 'The secret was refused.'};
    const standing = signInStanding({...kept, clientSecret: 'shh', refused, expiresAt: now}, now);
    expect(standing).toEqual({state: 'ended', renewable: false, reason: refused.reason});
  });
});
