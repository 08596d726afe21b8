import {describe, expect, test} from 'vitest';
import {addressOf, parseAddress} from '../../src/domain/address.ts';

test.each(['https://api.acme.example', 'https://api.acme.example/', 'https://api.acme.example//'])(
  'a path goes below %s with one slash',
  base => {
    expect(addressOf(base, '/health').href).toBe('https://api.acme.example/health');
  },
);

describe('an address that a person gives', () => {
  test.each([
    [' https://api.acme.example ', 'https://api.acme.example'],
    ['http://api.acme.localhost:8080/base/', 'http://api.acme.localhost:8080/base'],
    ['https://api.acme.example/?a=b#c', 'https://api.acme.example'],
  ])('%j is taken as %s', (text, address) => {
    expect(parseAddress(text, '--auth-url')).toBe(address);
  });

  test.each(['', 'ftp://api.acme.example'])('%j is none', text => {
    expect(() => parseAddress(text, '--auth-url')).toThrow(
      expect.objectContaining({code: 'input-invalid', message: expect.stringContaining('--auth-url needs one')}),
    );
  });

  test.each(['api.acme.example', 'observer.acme.localhost:28181', 'localhost/base'])(
    'without http or https is told so: %s',
    text => {
      expect(() => parseAddress(text, '--auth-url')).toThrow(`type https://${text} or http://${text}.`);
    },
  );

  test.each(['host/\u001b[31m', `host/${'a'.repeat(10_000)}`])(
    'is not shown whole where it is unsafe or long',
    text => {
      expect(() => parseAddress(text, 'It')).toThrow(/^.{1,110} is not an address\./);
    },
  );

  test.each(['https://ann:s3cret@api.acme.example', 'https://ann@api.acme.example', 'ftp://ann:s3cret@acme'])(
    'is not shown where it names a person: %s',
    text => {
      expect(() => parseAddress(text, 'It')).toThrow(/^Leave the username and password out of the address\.$/);
    },
  );
});
