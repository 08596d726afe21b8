import type {OwnPaths} from './own-paths.ts';

type Kept = {
  readonly holds: string;
  /** Permission bits, if the system has them: for a directory, those of the files in it. */
  readonly mode: string;
  /** The commands or events that remove it, besides `setup uninstall`. */
  readonly removedBy: string;
};

/** Describes each of this program's own files and directories. A path without a row does not compile. */
export const ownFileList: {readonly [Path in Exclude<keyof OwnPaths, 'home'>]: Kept} = {
  config: {
    holds:
      'deployments: addresses, client IDs, scopes, the proxy, the certificate authority, and the list of written entries. No secrets',
    mode: '0600',
    removedBy: '`setup context remove` removes a deployment from it',
  },
  credentials: {
    holds:
      'tokens, client secrets, a proxy’s password, an unfinished sign-in with a code, and the tokens that the journal cut out of files. If the system has a working keychain, the keychain holds the secrets and this file the rest',
    mode: '0600; on Windows its access list names only you, and `doctor` tells you if that failed',
    removedBy: '`setup logout` removes the secrets of a deployment from it',
  },
  journal: {
    holds: 'the files that the program wrote, with their old contents but without tokens, for `setup undo`',
    mode: '0600',
    removedBy: '`setup undo` removes each record once it has restored the file',
  },
  locks: {
    holds:
      'locks for files in directories that the program cannot write to, and a sign-in’s request for the callback port',
    mode: '0600',
    removedBy: 'the process that made the lock; a lock that was left behind expires after three seconds',
  },
  resume: {
    holds: 'your answers in a wizard that you left before its end. No secrets',
    mode: '0600',
    removedBy: 'the wizard, once it is finished or starts over',
  },
  providers: {
    holds: 'the metadata and keys of identity providers, so that a renewal takes one request. No secrets',
    mode: '0600',
    removedBy: 'nothing; a record is valid for a day at most',
  },
  versions: {
    holds: 'the versions that assistants reported',
    mode: '0600',
    removedBy: 'nothing; a record is valid until the assistant’s program file changes',
  },
  eras: {
    holds: 'the MCP servers that speak only revisions with a session, or only those without one',
    mode: '0600',
    removedBy: 'nothing; a record is valid for a day',
  },
  helperTokens: {
    holds: 'a part of the SHA-256 of the last token that a helper handed out for each server',
    mode: '0600',
    removedBy: 'nothing; a record is valid for a minute',
  },
  bridges: {
    holds:
      'a socket for each bridge whose assistants have an account of their own. Through it, a command with `--as me` asks for your permission. On Windows these are named pipes',
    mode: '0600',
    removedBy: 'the bridge, when it ends; if it was killed, the next bridge',
  },
  programs: {
    holds:
      'copies that entries start: one of this program for each version, and one of the Node, Bun or Deno that runs it. The program makes a copy only if the original can disappear, as a package in the cache of `npx` can',
    mode: '0600; a copy of Node keeps the mode of the original',
    removedBy: 'a later run that writes entries, once no entry has named the copy for a day',
  },
  records: {
    holds: 'records of runs with `--debug`: calls, writes and steps, with secrets replaced',
    mode: '0600',
    removedBy: 'you',
  },
  compiled: {
    holds: 'code that Node has compiled, so that the program starts faster',
    mode: '0600',
    removedBy: 'you; Node makes it again',
  },
};

/** Describes the files that this program writes in other places, or beside its own files. */
export const otherFiles: readonly (Kept & {readonly path: string})[] = [
  {
    path: '`renewing-…` beside the credentials',
    holds:
      'the process that may send a refresh token, and a time. The file name contains a part of the token’s SHA-256',
    mode: '0600',
    removedBy: 'the renewal, once it has stored the answer',
  },
  {
    path: '`….lock`, `.….tmp` beside a file while the program writes it',
    holds: 'a lock; the new contents before they replace the old ones',
    mode: '0600',
    removedBy: 'the write; if its process was killed, the next command',
  },
  {
    path: '`credentials.json.bad-…`',
    holds: 'a copy of credentials that the program could not read',
    mode: '0600',
    removedBy: '`setup logout`',
  },
  {
    path: 'the [files of assistants](assistants.md)',
    holds:
      'entries, beside your own settings. A token only with the method `header` (`--method header`, `m` in the wizard, or a company file that suggests it), and with `--shape documented` unless you pass `--method bridge`',
    mode: 'unchanged; a new file gets 0600, and so does a file with a token',
    removedBy: '`setup mcp disconnect`, `setup context remove` and `setup undo` remove the entries',
  },
  {
    path: '`.gitignore` in the root of a repository',
    holds: 'a line for a file with a token, if you pass `--in-git ignore` or choose it in the wizard',
    mode: 'unchanged; a new file gets 0644',
    removedBy: 'the same commands remove the line',
  },
  {
    path: '`~/.openchoreo/config`, the file of the platform’s own CLI',
    holds: 'a control plane, credentials and a context, if you want that CLI signed in',
    mode: '0600',
    removedBy: '`setup logout` removes the tokens; `setup undo` and `setup context remove` remove the rest',
  },
  {
    path: 'the paths that you pass: `--report`, `--output`, the directory of `org export`; `platform-setup-report.md` in the working directory, if you press `s` in the diagnostics',
    holds: 'a report without secrets; a company file; an organisation kit without secrets',
    mode: '0600 for a report, 0644 for the others',
    removedBy: 'you',
  },
  {
    path: '`platform-setup-…` in the directory for temporary files',
    holds: 'the home and the project of `setup demo`, and the certificate of a sandbox',
    mode: '0600; 0644 for the certificate, and for the files of assistants that the demonstration starts with',
    removedBy: 'the command, when it ends; `setup demo --keep` keeps its files',
  },
];
