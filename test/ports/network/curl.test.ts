import {execFileSync} from 'node:child_process';
import {expect, test} from 'vitest';
import {asCurl, showUrl} from '../../../src/ports/network/curl.ts';
import {onUnix} from '../../support/systems/on-unix.ts';

const url = new URL('http://idp.acme.localhost:8080/oauth2/token');

test('a token request shows the client and not its secret', () => {
  const authorization = `Basic ${Buffer.from('mcp_client:s3cret').toString('base64')}`;
  const line = asCurl({
    method: 'POST',
    url,
    headers: {Authorization: authorization},
    body: 'grant_type=client_credentials',
  });

  expect(line).toBe(
    `curl -X POST http://idp.acme.localhost:8080/oauth2/token -u mcp_client:"$CLIENT_SECRET" -d grant_type=client_credentials`,
  );
});

test('secrets in forms and JSON become shell variables', () => {
  const form = asCurl({method: 'POST', url, body: 'client_id=a&client_secret=p%25q&refresh_token=r1'});
  expect(form).toContain(`-d client_id=a -d client_secret="$CLIENT_SECRET" -d refresh_token="$REFRESH_TOKEN"`);

  const body = JSON.stringify({inputs: {username: 'ann', password: `it's "secret"`}});
  const json = asCurl({method: 'POST', url, headers: {Authorization: 'Bearer abc.def.ghi'}, body});
  expect(json).not.toContain('secret"');
  expect(json).not.toContain('abc.def');
});

onUnix('what is shown is what the shell sends', () => {
  const body = JSON.stringify({name: `it's`, inputs: {username: 'ann', password: 'hidden'}, list: ['a b', '$HOME']});
  const line = asCurl({method: 'POST', url, body}).replace(/^curl/, 'printf "%s\\n"');
  const sent = execFileSync('sh', ['-c', line], {encoding: 'utf8', env: {PASSWORD: 'typed later'}})
    .trim()
    .split('\n');

  expect(JSON.parse(sent.at(-1) ?? '')).toEqual({
    name: `it's`,
    inputs: {username: 'ann', password: 'typed later'},
    list: ['a b', '$HOME'],
  });
});

test('a URL is shown without its secrets', () => {
  expect(showUrl(new URL('http://u:p@127.0.0.1:55152/auth-callback?code=abc&state=xyz&iss=http%3A%2F%2Fidp'))).toBe(
    'http://127.0.0.1:55152/auth-callback?code=%24CODE&state=%24STATE&iss=http%3A%2F%2Fidp',
  );
});
