/**
 * Writes docs/identity-providers.md: a page for each kind of identity provider, from the data that the guide and the
 * sign-in go by.
 */
import {writeFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {guideOf} from '../src/identity-providers/guide.ts';
import type {Cause, IdentityProvider} from '../src/identity-providers/identity-provider.ts';
import {allProviders} from '../src/identity-providers/recognise.ts';
import {settingOf} from '../src/identity-providers/refusals.ts';
import {bundled} from '../src/platform/bundled.ts';

const values = {
  clientId: bundled.cliClient.clientId,
  redirect: bundled.callbackUrl,
  scopes: bundled.cliClient.scopes.join(' '),
  audience: 'https://api.example.com/mcp',
  serviceClientId: 'platform-service',
};

/** Causes by the words of a person who meets one, in the order in which they are met. */
const met: readonly (readonly [Cause, string])[] = [
  ['unknown-client', 'The client is not registered'],
  ['disabled', 'The client is disabled'],
  ['redirect', 'The redirect URL is not registered'],
  ['grant', 'A grant type is not allowed'],
  ['pkce', 'PKCE is refused'],
  ['par', 'Pushed authorization requests are required'],
  ['dpop', 'Tokens are bound to a key (DPoP), which is not supported'],
  ['scope', 'A scope is refused'],
  ['resource', 'The resource or audience is refused'],
  ['confidential', 'The client requires a secret'],
  ['consent', 'A permission is missing'],
  ['assignment', 'The account is not allowed to use the client'],
  ['interaction', 'An action in the browser is needed'],
  ['device', 'Signing in with a code is refused'],
  ['service-account', 'The service account is disabled'],
  ['secret', 'The secret is refused'],
  ['secret-method', 'The secret is sent in the wrong way'],
  ['opaque', 'Access tokens are not JWTs'],
  ['audience', 'Access tokens are for another audience'],
];

const page = (provider: IdentityProvider): string => {
  const {id, name, evidence, settings, isPkceUnlisted, target, unfit} = provider;
  const {sections} = guideOf(provider, values);
  const facts = [
    `Known as \`${id}\`. ${evidence === 'run' ? '**Run**: tried on the running program.' : '**By its documentation**: not tried.'}`,
    ...(isPkceUnlisted ? ['It supports PKCE with S256 without listing it.'] : []),
    ...(unfit === undefined ? [targets[target]] : []),
  ];
  const steps = sections.map(({heading, steps}) => {
    const lines = steps.map((step, index) => (steps.length > 1 ? `${index + 1}. ${step}` : step));
    return `### ${heading}\n\n${lines.join('\n')}`;
  });
  const own = met.filter(([cause]) => id === 'standard' || settings[cause] !== undefined);
  const rows = own.map(([cause, words]) => `| ${words} | ${cell(settingOf(provider, cause, values))} |`);
  const table = `### What can be wrong, and where it is mended\n\n| | |\n|---|---|\n${rows.join('\n')}`;
  return [`## ${name}`, facts.join(' '), ...steps, ...(rows.length > 0 && unfit === undefined ? [table] : [])].join(
    '\n\n',
  );
};

const targets: Readonly<Record<IdentityProvider['target'], string>> = {
  resource: 'Tokens are asked for with the parameter `resource` (RFC 8707).',
  audience: 'Tokens are asked for with the parameter `audience`.',
  none: 'Tokens are asked for without `resource`, which it refuses.',
};

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');

/** All of them, as Markdown. */
export const providerPages = (): string =>
  [
    '# Identity providers',
    'What has to be set up at each kind of identity provider, and what this program does there. `npx setup provider guide` shows the same with the values of your deployment, `npx setup provider check` tries it. This file is written by `npm run provider-pages`.',
    `The client ID here is \`${values.clientId}\`, the control plane’s MCP server \`${values.audience}\`.`,
    ...allProviders.map(page),
    '',
  ]
    .join('\n\n')
    .trimEnd() + '\n';

if (process.argv[1] !== undefined && resolve(process.argv[1]) === import.meta.filename) {
  writeFileSync(resolve(import.meta.dirname, '../docs/identity-providers.md'), providerPages());
}
