import {describe, expect, test} from 'vitest';
import {errorCodes} from '../../src/errors/error-table.ts';
import {type ServerName, serverNames, verdictOnCode} from '../../src/errors/verdict.ts';

/** All verdicts, to be read from top to bottom. */
test('every code says what is wrong in one sentence', async () => {
  const width = Math.max(...errorCodes.map(code => code.length));
  const lines = errorCodes.map(code => `${code.padEnd(width)}  ${verdictOnCode(code)}.`);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('verdicts.txt');
});

describe('a verdict', () => {
  test.each(errorCodes)('is a sentence that fits a heading: %s', code => {
    for (const server of [undefined, ...(Object.keys(serverNames) as ServerName[])]) {
      const sentence = verdictOnCode(code, server);
      expect(sentence).toMatch(/^\p{Lu}/u);
      expect(sentence).not.toMatch(/[.:;{}]|\n/);
      // Two rows of 60 columns.
      expect(sentence.length, sentence).toBeLessThanOrEqual(110);
    }
  });

  test('does not say of a renewal without an answer that nobody is signed in', () => {
    expect(verdictOnCode('auth-sign-in-required', undefined, true)).toBe('Your sign-in is no longer renewed');
  });

  test('names the part of the platform', () => {
    expect(verdictOnCode('network-timeout', 'observer')).toBe('The observer does not answer');
    expect(verdictOnCode('auth-token-refused', 'mcp-control-plane')).toBe(
      'The MCP server of the control plane does not accept the token',
    );
    expect(verdictOnCode('network-tls')).toBe('This computer does not trust the certificate of the server');
  });
});
