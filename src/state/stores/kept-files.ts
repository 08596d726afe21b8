import type {OwnPaths} from './own-paths.ts';

type Kept = {
  readonly holds: string;
  /** Permission bits, if the system has them: for a directory, those of the files in it. */
  readonly mode: string;
  /** The commands or events that remove it, besides `setup uninstall`. */
  readonly removedBy: string;
};

/** Describes each of this program's own files and directories. A path without a row does not compile. */
export const keptFiles: {readonly [Path in Exclude<keyof OwnPaths, 'home'>]: Kept} = {
  config: {
    holds:
      'deployments: addresses, client IDs, scopes, the proxy and the authority, and which entries were written. No secrets',
    mode: '0600',
    removedBy: '`setup context remove` takes a deployment out',
  },
  credentials: {
    holds:
      'tokens, client secrets, a proxy’s password, a sign-in with a code that is not finished, tokens that the journal has cut out of files. Where the system has a keychain that works, it has the secrets, and this file the rest',
    mode: '0600; on Windows you are alone in its access list, and `doctor` says where that could not be done',
    removedBy: '`setup logout` takes the secrets of a deployment out',
  },
  journal: {
    holds: 'what was written where, with the old contents, for `setup undo`; tokens are cut out of them',
    mode: '0600',
    removedBy: '`setup undo` takes out what it has put back',
  },
  locks: {
    holds: 'locks of files beside which nothing can be made, and which sign-in asks for the callback port',
    mode: '0600',
    removedBy: 'whoever made one; one that was left behind counts for three seconds',
  },
  resume: {
    holds: 'the answers of a wizard that was left. No secrets',
    mode: '0600',
    removedBy: 'the wizard, once it is finished or starts over',
  },
  providers: {
    holds: 'the metadata and keys of identity providers, so that a renewal is one request. Nothing secret',
    mode: '0600',
    removedBy: 'nobody; an entry counts for a day at most',
  },
  versions: {
    holds: 'what assistants said when they were asked for their version',
    mode: '0600',
    removedBy: 'nobody; it counts as long as the program is the same file',
  },
  eras: {
    holds: 'which MCP servers speak the old or the new revision alone',
    mode: '0600',
    removedBy: 'nobody; an entry counts for a day',
  },
  handedOut: {
    holds: 'which tokens helpers have handed out lately, each by a part of its SHA-256',
    mode: '0600',
    removedBy: 'nobody; an entry counts for a minute',
  },
  programs: {
    holds:
      'copies of this program that entries start, one for each version, and of the Node, Bun or Deno that runs it; each only where the original would go some day, as what `npx` fetches does',
    mode: '0600, and that of the original for the Node',
    removedBy: 'a later write of entries, once no entry has named it for a day',
  },
  records: {
    holds: 'what `--debug` recorded of a run: calls, writes, steps. Secrets are replaced',
    mode: '0600',
    removedBy: 'you',
  },
  compiled: {
    holds: 'code that Node has compiled, for quick starts',
    mode: '0600',
    removedBy: 'you; it is made again',
  },
};

/** Describes the files that this program writes in other places, or beside its own files. */
export const otherFiles: readonly (Kept & {readonly path: string})[] = [
  {
    path: '`renewing-…` beside the credentials',
    holds: 'who may send a refresh token: a process and a time. The name has a part of the token’s SHA-256',
    mode: '0600',
    removedBy: 'the renewal, once its answer is kept',
  },
  {
    path: '`….lock`, `….former`, `.….tmp` beside a file that is written',
    holds: 'a lock, the file under its second name, the new contents before they take their place',
    mode: '0600',
    removedBy: 'the write; what a killed process has left, the next command',
  },
  {
    path: '`credentials.json.bad-…`',
    holds: 'credentials that could not be read, set aside',
    mode: '0600',
    removedBy: '`setup logout`',
  },
  {
    path: 'the [files of assistants](assistants.md)',
    holds:
      'entries, beside what is there. A token with `--method header` only, and with `--shape documented` unless `--method bridge` is passed',
    mode: 'as it was; a new one 0600, and one with a token becomes 0600',
    removedBy: '`setup mcp disconnect`, `setup context remove` and `setup undo` take the entries out',
  },
  {
    path: 'an ignore file in the root of a repository',
    holds: 'a line for a file with a token, where `--in-git ignore` or an answer wants it',
    mode: 'as it was; a new one 0644',
    removedBy: 'the same take it out',
  },
  {
    path: '`~/.openchoreo/config`, the file of the platform’s own CLI',
    holds: 'a control plane, credentials and a context, where you want that CLI signed in',
    mode: '0600',
    removedBy: '`setup logout` takes the tokens out; `setup undo` and `setup context remove` the rest',
  },
  {
    path: 'what you name: `--report`, `--output`, the directory of `org export`',
    holds: 'the findings without secrets; a company file; an organisation kit without secrets',
    mode: '0600 for a report, else 0644',
    removedBy: 'you',
  },
  {
    path: '`platform-setup-…` in the directory for temporary files',
    holds: 'the home and the project of `setup demo`, the certificate of a sandbox',
    mode: '0600; the certificate 0644',
    removedBy: 'the command, when it ends; `setup demo --keep` keeps its own',
  },
];
