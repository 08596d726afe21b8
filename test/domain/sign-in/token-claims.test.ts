import {describe, expect, test} from 'vitest';
import {inspectToken} from '../../../src/domain/sign-in/token-claims.ts';

const issuer = 'https://id.example';
const now = 1_700_000_000_000;

const tokenWith = (claims: object) =>
  `e30.${Buffer.from(JSON.stringify({iss: issuer, ...claims})).toString('base64url')}.c2ln`;

describe('what a token says of itself', () => {
  test('its issuer and its audiences, one or several', () => {
    expect(inspectToken(tokenWith({aud: 'a'}), issuer, now)).toEqual({issuer, audience: ['a'], warnings: []});
    expect(inspectToken(tokenWith({aud: ['a', 'b', 1]}), issuer, now).audience).toEqual(['a', 'b']);
    expect(inspectToken(tokenWith({}), issuer, now)).toEqual({issuer, warnings: []});
  });

  test('nothing, where it is opaque', () => {
    const {warnings, ...rest} = inspectToken('opaque', issuer, now);
    expect(rest).toEqual({});
    expect(warnings).toEqual([expect.stringContaining('opaque')]);
  });

  test('that another identity provider issued it, in words that do nothing to a terminal', () => {
    const {issuer: found, warnings} = inspectToken(tokenWith({iss: 'https://other\u001b[2J'}), issuer, now);
    expect(found).toBe('https://other [2J');
    expect(warnings).toEqual([`The token was issued by https://other [2J, but the identity provider is ${issuer}.`]);
  });

  test('that it has ended, from the very second on', () => {
    expect(inspectToken(tokenWith({exp: now / 1000 + 1}), issuer, now).warnings).toEqual([]);
    expect(inspectToken(tokenWith({exp: now / 1000}), issuer, now).warnings).toHaveLength(1);
  });
});
