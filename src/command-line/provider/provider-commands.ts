import {SETUP} from '../../setup-command.ts';
import type {Command} from '../command.ts';
import {network, saved, tokens} from '../flag-groups.ts';

/** The commands about an identity provider, and about what the platform has to know of it. */
export const providerCommands: readonly Command[] = [
  {
    words: ['provider', 'guide'],
    takes: 1,
    completes: ['provider'],
    usage: `${SETUP} provider guide [NAME] [flags]`,
    summary: 'Show how to set up the identity provider, step by step',
    flags: [...(['issuer', 'client-id', 'redirect-uri', 'platform'] as const), ...tokens, ...network, ...saved],
    examples: [`${SETUP} provider guide`, `${SETUP} provider guide --issuer https://sso.acme.example/realms/dev`],
    load: async () => (await import('../../commands/provider/guide.ts')).runProviderGuide,
  },
  {
    words: ['provider', 'check'],
    takes: 1,
    usage: `${SETUP} provider check [ISSUER] [flags]`,
    summary: 'Check that the identity provider is set up for the platform',
    flags: [
      ...(['issuer', 'client-id', 'client-secret-stdin', 'client-secret', 'redirect-uri', 'platform'] as const),
      ...(['strict'] as const),
      ...tokens,
      ...network,
      ...saved,
    ],
    examples: [
      `${SETUP} provider check https://sso.acme.example/realms/dev --client-id platform-cli`,
      `${SETUP} provider check --client-id ci --client-secret-stdin`,
    ],
    load: async () => (await import('../../commands/provider/check.ts')).runProviderCheck,
  },
  {
    words: ['values'],
    usage: `${SETUP} values [flags]`,
    summary: 'Print the control plane values that register your own CLI client',
    flags: ['client-id', 'issuer', 'platform', ...tokens, ...network, 'quiet', ...saved],
    examples: [`${SETUP} values --client-id my-cli`],
    load: async () => (await import('../../commands/values.ts')).runValues,
  },
];
