/**
 * Writes docs/identity-providers.md: a page for each kind of identity provider, from the data that the guide and the
 * sign-in use.
 */
import {writeFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {allProviders, settingOf} from '../src/identity-providers/catalogue.ts';
import {guideOf} from '../src/identity-providers/guide.ts';
import type {Cause, IdentityProvider} from '../src/identity-providers/identity-provider.ts';
import {bundled} from '../src/platform/platforms.ts';
import {type Row, rows} from '../test/providers/support/rows.ts';
import {tableOf} from './generated-part.ts';

const values = {
  clientId: bundled.cliClient.clientId,
  redirect: bundled.callbackUrl,
  scopes: bundled.cliClient.scopes.join(' '),
  audience: 'https://api.example.com/mcp',
  serviceClientId: 'platform-service',
};

/** The causes that only a client with a secret meets. */
const ofServiceAccounts: readonly Cause[] = ['service-account', 'secret', 'secret-method'];

/** Returns the values for a setting. It is about the client that met the cause. */
const valuesFor = (cause: Cause) =>
  ofServiceAccounts.includes(cause) ? {...values, clientId: values.serviceClientId} : values;

/** Causes in the words of a person who meets them, in the order in which they appear. */
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
    `\`npx setup provider guide ${id}\`. ${evidence === 'run' ? '**Tried** on the running program.' : '**Not tried**: from its documentation.'}`,
    ...(isPkceUnlisted ? ['It supports PKCE with S256, although its metadata does not list it.'] : []),
    ...(unfit === undefined ? [targets[target]] : []),
  ];
  const steps = sections.map(({heading, steps}) => {
    const lines = steps.map((step, index) => escaped(steps.length > 1 ? `${index + 1}. ${step}` : step));
    return `### ${heading}\n\n${lines.join('\n')}`;
  });
  const own = met.filter(([cause]) => id === 'standard' || settings[cause] !== undefined);
  const rows = own.map(([cause, words]) => [words, escaped(settingOf(provider, cause, valuesFor(cause)))]);
  const table = `### What can go wrong, and where to fix it\n\n${tableOf(['', ''], rows)}`;
  return [
    `## ${id === 'standard' ? 'Any other identity provider' : name}`,
    facts.join(' '),
    ...steps,
    ...(rows.length > 0 && unfit === undefined ? [table] : []),
  ].join('\n\n');
};

const renewals: Readonly<Record<Row['refresh'], string>> = {
  another: 'works, with a new refresh token each time',
  'the same': 'works, with the same refresh token',
  none: 'no refresh tokens for people, and reported',
};

/** The flows, with the behaviour of a tested provider in each, as its tests expect it. */
const flows: readonly (readonly [string, (row: Row) => string])[] = [
  ['Signing in by a browser', ({account}) => `works, as ${account}`],
  [
    'A person declines',
    ({denial}) =>
      ({
        told: 'reported as declined',
        'told as missing consent': 'reported as missing consent',
        'not asked': 'does not ask for consent',
        'boxes alone': 'has no button for it; whoever leaves the boxes unchecked is signed in, without a name',
      })[denial],
  ],
  ['Renewal', ({refresh}) => renewals[refresh]],
  ['Three renewals at once', ({refresh}) => (refresh === 'none' ? '–' : 'works')],
  [
    'A refresh token that is no longer valid',
    ({ended}) =>
      ({
        ended: 'sign-in reported as ended',
        'probably ended': 'sign-in reported as probably ended, with the answer',
        'no refresh token': '–',
      })[ended],
  ],
  [
    'An unknown client',
    ({wrongClient}) =>
      ({
        'at once': 'reported before the browser opens',
        'behind the sign-in': 'not checked: refused only after the person has signed in',
        never: 'not checked: any client is accepted',
      })[wrongClient],
  ],
  ['A wrong secret', ({wrongSecret}) => (wrongSecret === 'never' ? 'any secret is accepted' : 'reported')],
  [
    'A service account',
    ({serviceToken, serviceScopes}) =>
      serviceToken === 'opaque'
        ? 'reported: its tokens are not JWTs'
        : `works${serviceScopes === undefined ? '' : `, with --scopes ${serviceScopes}`}`,
  ],
  [
    'Signing out',
    ({logout}) =>
      ({
        revoked: 'revoked',
        refused: 'refused, and reported with the answer',
        'not offered': 'not offered, and reported',
      })[logout],
  ],
  [
    '`provider check`, before a sign-in',
    ({check}) => {
      const count = (verdict: string) => Object.values(check).filter(one => one === verdict).length;
      const counts = (['pass', 'warning', 'fail'] as const).map(verdict => [count(verdict), verdict] as const);
      const found = counts.flatMap(([many, verdict]) => (many === 0 ? [] : [`${many} ${verdict}`]));
      return [...found, `${count('skipped')} not checked`].join(', ');
    },
  ],
  [
    '`doctor`, after a sign-in',
    ({audience}) =>
      ({
        platform: 'no failures',
        client:
          'no failures; where the platform requires its own audience, reports that the token is for the client ID',
        another: 'no failures; where the platform requires its own audience, reports that the token is for another',
        nobody: 'no failures; where the platform requires its own audience, reports that the token has none',
      })[audience],
  ],
];

/** Returns a table of every tested provider, flow by flow. */
const wasRun = (): string => {
  const heads = rows.map(({name, version, from}) => `${name} ${version} (${from})`);
  const lines = flows.map(([flow, tell]) => [flow, ...rows.map(tell)].map(escaped));
  const table = tableOf(['', ...heads.map(escaped)], lines);
  return [
    '## What was run',
    '`npm run suite providers` runs the built program against these, with a real Chromium and a platform that checks every token. “Reported” means that the program says it to the person. Keycloak 22.0.5 passes the same tests, except those of DPoP and of pushed requests without a secret, which it does not support. Thunder (ThunderID), Dex and Hydra were run by hand.',
    table,
  ].join('\n\n');
};

const targets: Readonly<Record<IdentityProvider['target'], string>> = {
  resource: 'Tokens are requested with the parameter `resource` (RFC 8707).',
  audience: 'Tokens are requested with the parameter `audience`.',
  none: 'Tokens are requested without the parameter `resource`, because it refuses that.',
};

const escaped = (text: string) => text.replaceAll('<', '&lt;');

/** Returns the pages as Markdown. */
export const providerPages = (): string =>
  [
    '# Identity providers',
    'This page lists what you set up at each kind of identity provider. `npx setup provider guide` shows the same steps with the values of your deployment, and `npx setup provider check` checks the result. This file is written by `npm run docs provider-pages`.',
    `In the examples, people sign in with the client \`${values.clientId}\`, a service account is the client \`${values.serviceClientId}\`, and the control plane’s MCP server is \`${values.audience}\`.`,
    ...allProviders.map(page),
    wasRun(),
    '',
  ]
    .join('\n\n')
    .trimEnd() + '\n';

if (process.argv[1] !== undefined && resolve(process.argv[1]) === import.meta.filename) {
  writeFileSync(resolve(import.meta.dirname, '../docs/identity-providers.md'), providerPages());
}
