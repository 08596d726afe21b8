/**
 * The purpose of each foreign program that the code of this program names. The names of all other programs that it
 * starts are data: the runtime that runs it, an assistant's command, the command of an entry.
 */
export const programs = {
  git: 'to check whether git would commit a file and whether git ignores it; options keep the configuration and the hooks of the repository from starting anything, and git gets no `GIT_…` variable of your shell',
  kubectl:
    'to read the routes of the platform and the certificate of its gateway, if there is a current kube context; to grant the assistants’ account a role and take it back, if you choose that',
  helm: 'to read the values of the platform’s Helm release, if there is a current kube context',
  npm: '`setup upgrade` uses it to find out the registry and the newest version, and to fetch that version; the launcher on an old Node uses it to find out the registry',
  npx: 'the launcher on an old Node uses it to fetch a newer Node, once you agree',
  'xdg-open': 'to open the browser, on Linux',
  open: 'to open the browser, on macOS',
  powershell: 'to open the browser, on Windows and in WSL',
  tmux: 'to copy text to the clipboard, in a tmux session',
  lsof: 'to find the program that holds the callback port, on macOS',
  ps: 'to name that program, on macOS; to check whether `setup sandbox` runs in the foreground of its terminal, on Linux and macOS',
  cp: 'to keep a file’s owner, access list and extended attributes when the program replaces the file; not on Windows',
  icacls: 'to set the access list of the credentials, on Windows',
  sh: 'to start the helper in one of this program’s entries and check it, as the assistant would',
  cmd: 'like `sh`, on Windows',
} as const;

export type ProgramName = keyof typeof programs;

/** The name of a program to start. A literal name has to be in the list; otherwise it does not compile. */
export type Startable<Name extends string> = string extends Name ? Name : Name extends ProgramName ? Name : never;

/** The path of a program in the list. */
export type PathTo<Name extends ProgramName> = `/${string}/${Name}`;
