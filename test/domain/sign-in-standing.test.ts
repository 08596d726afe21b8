import {describe, expect, test} from 'vitest';
import {signInStanding} from '../../src/domain/sign-in-standing.ts';

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
});
