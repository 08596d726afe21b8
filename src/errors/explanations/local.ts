import type {Explanation} from './explanation.ts';

export const localExplanations = {
  'local-config-invalid': {
    name: 'configuration not readable',
    means: 'One of this program’s configuration files is damaged.',
    why: 'It was edited by hand, or truncated by a full disk.',
  },
  'local-file-invalid': {
    name: 'file does not parse',
    means: 'An assistant’s file has a syntax error, so nothing in it is changed.',
    why: 'It was edited by hand.',
  },
  'local-file-read-only': {
    name: 'file read-only',
    means: 'An assistant’s file is read-only.',
    why: 'You or a tool that manages your files made it read-only.',
  },
  'local-link-outside': {
    name: 'link out of the project',
    means: 'A file of the project is a link to a file outside of it, or lies in a directory that is one.',
    why: 'A repository can contain links. A write through such a link would change another file of yours.',
  },
  'local-npm-failed': {
    name: 'npm does not answer',
    means: 'This program asked npm for its newest version, and did not get it.',
    why: 'There is no npm on this machine, or it cannot reach its registry.',
  },
  'local-uninstall-unfinished': {
    name: 'not all removed',
    means: 'Something that this program wrote could not be removed, so it keeps what it knows about it.',
    why: 'A file does not parse, or it cannot be written.',
  },
  'local-file-changed': {
    name: 'file changed meanwhile',
    means: 'The file changed after this program read or wrote it, so it was left alone.',
    why: 'The assistant or another program changed the file after this program wrote it, or after you reviewed the changes.',
  },
  'local-read-failed': {
    name: 'file not readable',
    means: 'A file could not be read.',
    why: 'Its permissions, or its directory’s, do not allow it.',
  },
  'local-open-to-others': {
    name: 'file open to others',
    means: 'Other users can change a file that this program trusts, so it is not used.',
    why: 'The umask was permissive, or the file was copied from a shared directory.',
  },
  'local-write-failed': {
    name: 'file not writable',
    means: 'A file could not be written.',
    why: 'Permissions, a full disk, or a read-only file system.',
  },
  'local-keychain-failed': {
    name: 'keychain not available',
    means: 'The system’s keychain did not return or store a secret.',
    why: 'It is locked, or access was denied.',
  },
  'local-entry-exists': {
    name: 'entry exists',
    means:
      'The assistant already has an entry of this name that this program did not write, or that was changed since.',
    why: 'It belongs to another deployment, or was added or changed by hand.',
  },
  'local-entry-blocked': {
    name: 'blocked by a policy',
    means: 'A policy on this machine does not let the assistant use these servers.',
    why: 'Your organisation allows only certain servers.',
  },
  'local-entry-failed': {
    name: 'entry does not work',
    means: 'The assistant’s entry was tried, but did not reach the server.',
    why: 'The program that it starts was moved, or the entry was changed.',
  },
  'local-limit-reached': {
    name: 'limit reached',
    means: 'The system does not let this program open more files or start more processes.',
    why: 'The limits of the shell or container are low, or too many other programs are running.',
  },
  'local-token-in-git': {
    name: 'token in a repository',
    means: 'A token would be written to a file that git would commit.',
    why: 'The file is in a repository and not ignored.',
  },
  'local-node-old': {
    name: 'Node too old',
    means: 'The program was started with a version of Node that is too old for it.',
    why: 'The system or the project has an old version of Node, which comes first on PATH.',
  },
  'local-nothing-to-undo': {
    name: 'nothing to undo',
    means: 'There is nothing left to revert.',
    why: 'Everything has already been reverted, or nothing was written.',
  },
  'local-credentials-invalid': {
    name: 'stored secrets not readable',
    means: 'The file with your secrets is damaged.',
    why: 'It was edited by hand, or truncated by a full disk.',
  },
  'local-authority-missing': {
    name: 'authority not readable',
    means: 'The certificate authority of this deployment cannot be read.',
    why: 'The file was moved or removed.',
  },
  'local-locked': {
    name: 'file in use',
    means: 'Another run of this program is writing the same file.',
    why: 'Two runs overlap, or one was stopped halfway.',
  },
  'local-callback-failed': {
    name: 'browser’s answer not received',
    means: 'The program could not listen on the address that the browser returns to.',
    why: 'There is no loopback address, or a security product forbids it.',
  },
  'local-port-taken': {
    name: 'port in use',
    means: 'Another program uses the port that is needed.',
    why: 'Another sign-in, the platform’s own CLI or a sandbox is running.',
  },
  'local-sandbox-failed': {
    name: 'sandbox did not start',
    means: 'The sandbox platform ended before it was ready.',
    why: 'The sandbox has a problem; its own message says more.',
  },
  'local-report-unsafe': {
    name: 'report held back',
    means: 'The report would have contained a secret, so it was not written.',
    why: 'This is a bug in platform-setup.',
  },
  'warnings-only': {
    name: 'warnings only',
    means: 'There are warnings, and --strict treats them as failures.',
    why: 'See each warning.',
  },
  bug: {
    name: 'bug in this program',
    means: 'Something happened that this program did not expect.',
    why: 'This is a bug in platform-setup.',
  },
  cancelled: {
    name: 'cancelled',
    means: 'The run was ended early.',
    why: 'Ctrl-C, a signal, or a closed terminal.',
  },
} as const satisfies Record<string, Explanation>;
