import {SETUP} from '../../setup-command.ts';
import type {Command} from '../command.ts';
import {common, network} from '../flag-groups.ts';

const whereabouts = ['base-domain', 'layout', 'control-plane-url', 'observer-url', 'auth-url', 'issuer'] as const;

/** The commands for operators of a platform: its company file, and the files that an organisation rolls out. */
export const companyCommands: readonly Command[] = [
  {
    words: ['platform', 'init'],
    usage: `${SETUP} platform init [flags]`,
    summary: 'Write a company file from a platform that answers',
    flags: [...whereabouts, 'platform', 'output', ...network, ...common],
    examples: [
      `${SETUP} platform init --base-domain acme.example.com`,
      `${SETUP} platform init --base-domain acme.example --control-plane-url https://cp.acme.example`,
      `${SETUP} platform init --base-domain acme.example.com --output platform-setup.json`,
    ],
    load: async () => (await import('../../commands/platform/init.ts')).runPlatformInit,
  },
  {
    words: ['platform', 'check'],
    takes: 1,
    completes: ['anything'],
    usage: `${SETUP} platform check FILE|URL [flags]`,
    summary: 'Check a company file before it is published',
    flags: ['base-domain', ...network, ...common],
    flagHelp: {'base-domain': {value: 'DOMAIN', help: 'Also check that the platform there is as the file says'}},
    examples: [
      `${SETUP} platform check platform-setup.json`,
      `${SETUP} platform check platform-setup.json --base-domain acme.example.com`,
    ],
    load: async () => (await import('../../commands/platform/check.ts')).runPlatformCheck,
  },
  {
    words: ['org', 'export'],
    takes: 1,
    completes: ['anything'],
    usage: `${SETUP} org export DIR [flags]`,
    summary: 'Write the files with which an administrator rolls out a platform',
    flags: [
      ...whereabouts,
      'platform',
      'groups',
      'tools',
      'registry-url',
      'redirect-uri',
      'context',
      ...network,
      ...common,
    ],
    examples: [
      `${SETUP} org export organisation-kit`,
      `${SETUP} org export organisation-kit --base-domain acme.example.com`,
      `${SETUP} org export organisation-kit --groups developers,operators=admin --tools build`,
    ],
    load: async () => (await import('../../commands/organisation/export.ts')).runOrgExport,
  },
];
