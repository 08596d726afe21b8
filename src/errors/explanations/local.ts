import type {Explanation} from './explanation.ts';

export const localExplanations = {
  'local-config-invalid': {
    name: 'configuration not readable',
    means: 'A file of this program is not what it should be.',
    why: 'It was edited by hand, or cut off by a full disk.',
  },
  'local-file-invalid': {
    name: 'file does not parse',
    means: 'The file of an assistant has an error, so nothing in it is changed.',
    why: 'It was edited by hand.',
  },
  'local-file-changed': {
    name: 'file changed meanwhile',
    means: 'The file is not what it was when the changes were shown.',
    why: 'The assistant or another program wrote to it.',
  },
  'local-read-failed': {
    name: 'file not readable',
    means: 'A file could not be read.',
    why: 'Its permissions, or those of its directory.',
  },
  'local-open-to-others': {
    name: 'file open to others',
    means: 'Other users can change a file that this program trusts, so it is not used.',
    why: 'A permissive umask, or a copy from a shared directory.',
  },
  'local-write-failed': {
    name: 'file not writable',
    means: 'A file could not be written.',
    why: 'Permissions, a full disk, or a read-only file system.',
  },
  'local-keychain-failed': {
    name: 'keychain not available',
    means: 'The system’s keychain did not give or take a secret.',
    why: 'It is locked, or access was denied.',
  },
  'local-entry-exists': {
    name: 'entry exists',
    means: 'The assistant has an entry of this name that leads elsewhere.',
    why: 'Another deployment, or an entry made by hand.',
  },
  'local-entry-blocked': {
    name: 'blocked by a policy',
    means: 'A policy on this machine does not let the assistant use these servers.',
    why: 'Whoever manages this computer allows certain servers only.',
  },
  'local-entry-failed': {
    name: 'entry does not work',
    means: 'The assistant’s entry was tried, and did not reach the server.',
    why: 'The program that it starts was moved, or the entry was changed.',
  },
  'local-token-in-git': {
    name: 'token in a repository',
    means: 'A token would be written to a file that git commits.',
    why: 'The file is in a repository, and not ignored.',
  },
  'local-nothing-to-undo': {
    name: 'nothing to undo',
    means: 'There is no write left that could be put back.',
    why: 'All were undone, or nothing was written.',
  },
  'local-credentials-invalid': {
    name: 'stored secrets not readable',
    means: 'The file with the secrets is not what it should be.',
    why: 'It was edited by hand, or cut off by a full disk.',
  },
  'local-authority-missing': {
    name: 'authority not readable',
    means: 'The certificate authority that this deployment is to trust cannot be read.',
    why: 'The file was moved or removed.',
  },
  'local-locked': {
    name: 'file in use',
    means: 'Another run of this program is writing the same file.',
    why: 'Two runs at the same time, or one that was stopped in the middle.',
  },
  'local-callback-failed': {
    name: 'browser’s answer not received',
    means: 'The address that the browser returns to could not be listened on.',
    why: 'No loopback address, or a security product that forbids it.',
  },
  'local-port-taken': {
    name: 'port in use',
    means: 'The port that is needed is used by another program.',
    why: 'Another sign-in, the platform’s own CLI, or a sandbox.',
  },
  'local-sandbox-failed': {
    name: 'sandbox did not start',
    means: 'The sandbox platform ended before it was ready.',
    why: 'A fault of the sandbox; its own message says more.',
  },
  'local-report-unsafe': {
    name: 'report held back',
    means: 'The report would have held a secret, so it was not written.',
    why: 'A fault of this program.',
  },
  'warnings-only': {
    name: 'warnings only',
    means: 'There are warnings, and --strict makes them count.',
    why: 'See what each of them says.',
  },
  bug: {
    name: 'fault of this program',
    means: 'Something happened that this program does not expect.',
    why: 'A fault in platform-setup.',
  },
  cancelled: {
    name: 'cancelled',
    means: 'The run was ended before it was done.',
    why: 'Ctrl-C, a signal, or a closed terminal.',
  },
} as const satisfies Record<string, Explanation>;
