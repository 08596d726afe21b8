import {execFileSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {asCurl} from '../../../src/ports/network/curl.ts';
import {lineFor, type Shell, setVariable, shellLine, shellOf} from '../../../src/ports/processes/shell.ts';

describe('the shell in use', () => {
  const system =
    'C:\\Program Files\\WindowsPowerShell\\Modules;C:\\WINDOWS\\system32\\WindowsPowerShell\\v1.0\\Modules';
  test.each([
    ['of Linux', 'linux', {SHELL: '/bin/bash'}, 'posix'],
    ['of macOS', 'darwin', {SHELL: '/bin/zsh'}, 'posix'],
    ['where none is named', 'linux', {}, 'posix'],
    ['fish', 'darwin', {SHELL: '/opt/homebrew/bin/fish'}, 'fish'],
    ['cmd', 'win32', {PSModulePath: system, ComSpec: 'C:\\WINDOWS\\system32\\cmd.exe'}, 'cmd'],
    [
      'Windows PowerShell',
      'win32',
      {PSModulePath: `C:\\Users\\ann\\Documents\\WindowsPowerShell\\Modules;${system}`},
      'powershell',
    ],
    [
      'PowerShell 7, in a redirected directory',
      'win32',
      {
        PSMODULEPATH: `D:\\OneDrive\\Dokumente\\PowerShell\\Modules;c:\\program files\\powershell\\7\\Modules;${system}`,
      },
      'powershell',
    ],
    [
      'PowerShell for everybody alone',
      'win32',
      {PSModulePath: `C:\\Program Files\\PowerShell\\Modules;${system}`},
      'cmd',
    ],
    ['Git Bash', 'win32', {MSYSTEM: 'MINGW64', SHELL: '/usr/bin/bash', PSModulePath: system}, 'posix'],
  ] as const)('%s', (_name, platform, env, shell) => {
    expect(shellOf(env, platform)).toBe(shell);
  });
});

const url = new URL('http://idp.acme.localhost:8080/oauth2/token');
const authorization = `Basic ${Buffer.from('mcp_client:s3cret').toString('base64')}`;
const json = JSON.stringify({name: 'it’s "good" $HOME', path: 'C:\\x\\', password: 'hidden'});

describe('a call as a line', () => {
  const form = (shell: Shell) =>
    asCurl({method: 'POST', url, headers: {Authorization: authorization}, body: 'scope=a b&code=c1'}, shell);
  const bearer = (shell: Shell) => asCurl({method: 'GET', url, headers: {Authorization: 'Bearer abc'}}, shell);

  test('of cmd has its variables in percent signs', () => {
    expect(form('cmd')).toBe(`curl -X POST ${url} -u "mcp_client:%CLIENT_SECRET%" -d "scope=a b" -d "code=%CODE%"`);
    expect(bearer('cmd')).toBe(`curl ${url} -H "Authorization: Bearer %ACCESS_TOKEN%"`);
    expect(asCurl({method: 'POST', url, body: '{"a":"b & c","password":"x"}'}, 'cmd')).toBe(
      `curl -X POST ${url} -d "{""a"":""b & c"",""password"":""%PASSWORD%""}"`,
    );
  });

  test('of PowerShell names the program, and its variables', () => {
    expect(form('powershell')).toBe(
      `curl.exe -X POST ${url} -u "mcp_client:$env:CLIENT_SECRET" -d "scope=a b" -d "code=$env:CODE"`,
    );
    expect(bearer('powershell')).toBe(`curl.exe ${url} -H "Authorization: Bearer $env:ACCESS_TOKEN"`);
  });

  test('of PowerShell hands its quotes on, in every version', () => {
    expect(asCurl({method: 'POST', url, body: '{"a":"$b `c","password":"x"}'}, 'powershell')).toBe(
      `$PSNativeCommandArgumentPassing='Legacy'; curl.exe -X POST ${url} -d ` +
        '"{\\`"a\\`":\\`"`$b ``c\\`",\\`"password\\`":\\`"$env:PASSWORD\\`"}"',
    );
  });

  test('of fish is one of POSIX where there is nothing to escape', () => {
    expect(form('fish')).toBe(form('posix'));
    expect(bearer('fish')).toBe(bearer('posix'));
  });
});

/** The shells of this machine, and the arguments with which each runs a line. */
const here = (
  [
    ['posix', '/bin/sh', '-c'],
    ['fish', '/usr/bin/fish', '-c'],
  ] as const
).filter(([, program]) => process.platform !== 'win32' && existsSync(program));

test.each(here)('%s sends what is shown', (shell, program, flag) => {
  const line = asCurl({method: 'POST', url, body: json}, shell).replace(/^curl/, 'printf "%s\\n"');
  const sent = execFileSync(program, [flag, line], {encoding: 'utf8', env: {PASSWORD: 'typed later', HOME: '/'}});
  expect(JSON.parse(sent.trim().split('\n').at(-1) ?? '')).toEqual({...JSON.parse(json), password: 'typed later'});
});

test.each(here)('%s sets a variable to a path with quotes and backslashes', (shell, program, flag) => {
  const path = `/tmp/it's a \\ "path"`;
  const line = `${setVariable('FILE', path, shell)}; printenv FILE`;
  expect(execFileSync(program, [flag, line], {encoding: 'utf8', env: {PATH: '/usr/bin:/bin', HOME: '/'}})).toBe(
    `${path}\n`,
  );
});

test('PowerShell and cmd set a variable in their own way', () => {
  expect(setVariable('FILE', `C:\\it's\\ca.pem`, 'powershell')).toBe(`$env:FILE = 'C:\\it''s\\ca.pem'`);
  expect(setVariable('FILE', 'C:\\a & b\\ca.pem', 'cmd')).toBe('set "FILE=C:\\a & b\\ca.pem"');
});

test('backslashes count as programs of Windows read them', () => {
  expect(shellLine('x', [['a\\"b'], ['c d\\']], 'cmd')).toBe('x "a\\\\""b" "c d\\\\"');
});

test.each([
  [
    'CLI_CLIENT_ID=ci CLI_CLIENT_SECRET=… npx setup --yes',
    "$env:CLI_CLIENT_ID = 'ci'; $env:CLI_CLIENT_SECRET = '…'; npx setup --yes",
    'set "CLI_CLIENT_ID=ci" && set "CLI_CLIENT_SECRET=…" && npx setup --yes',
  ],
  [
    'curl -H "$(npx setup token --header)" http://api/mcp',
    'curl.exe -H "$(npx setup token --header)" http://api/mcp',
    'for /f "delims=" %i in (\'npx setup token --header\') do curl -H "%i" http://api/mcp',
  ],
  ['npx setup mcp connect', 'npx setup mcp connect', 'npx setup mcp connect'],
])('an example of the documentation, as each shell takes it: %s', (line, powershell, cmd) => {
  expect(['posix', 'fish', 'powershell', 'cmd'].map(shell => lineFor(line, shell as Shell))).toEqual([
    ...[line, line],
    ...[powershell, cmd],
  ]);
});
