import {expect, test} from 'vitest';
import {parse} from 'yaml';
import {bundled} from '../../src/platform/bundled.ts';
import {externalClientValues} from '../../src/platform/values.ts';

test.each(['my-cli', 'a: b # c', '"quoted"', '0123', 'yes'])(
  'the client ID “%s” comes through YAML as it is',
  clientId => {
    expect(parse(externalClientValues(bundled, {clientId, scopes: ['openid', 'profile', 'email']}))).toEqual({
      security: {oidc: {externalClients: [{name: 'cli', client_id: clientId, scopes: ['openid', 'profile', 'email']}]}},
    });
  },
);
