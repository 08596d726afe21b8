/**
 * Every program of somebody else's that this one may start by a name of its own, with what for. What else it starts is named
 * by data: the runtime that runs it, an assistant's command, what an entry of its own starts.
 */
export const programs = {
  git: 'whether a file would be committed, and whether it is ignored; without the configuration, hooks and `GIT_…` variables of the repository',
  kubectl: 'the routes of the platform, and the certificate of its gateway, where there is a current kube context',
  helm: 'the values of the platform’s Helm release, where there is a current kube context',
  npm: '`setup upgrade`: which registry it fetches from, which version is the newest, and that version itself; the launcher on an old Node: which registry that is',
  npx: 'the launcher on a Node that is too old, once the person agrees: a newer Node',
  'xdg-open': 'the browser, on Linux',
  open: 'the browser, on macOS',
  powershell: 'the browser, on Windows and in WSL',
  tmux: 'the clipboard, for what is copied in a session of tmux',
  lsof: 'which program holds the callback port, on macOS',
  ps: 'what that program is, on macOS; whether `setup sandbox` has its terminal, on Linux and macOS',
  cp: 'a file’s owner, access list and extended attributes, when it is replaced; not on Windows',
  icacls: 'the access list of the credentials, on Windows',
  sh: 'the helper of an entry of its own, to check it as the assistant would',
  cmd: 'the same, on Windows',
} as const;

export type ProgramName = keyof typeof programs;

/** A name of a program that may be started: one that stands in the code has to be in the list. */
export type Startable<Name extends string> = string extends Name ? Name : Name extends ProgramName ? Name : never;

/** Where a system has a program. */
export type PathTo<Name extends ProgramName> = `/${string}/${Name}`;
