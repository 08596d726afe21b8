/** The command by which other programs start this one, without this process's PATH, variables or working directory. */
export type OwnCommand = {
  readonly command: string;
  readonly args: readonly string[];
  /** The directory of this program's files, if it is not the usual one. */
  readonly home?: string;
  /** Hosts that may be called without TLS, in the form of the flag. */
  readonly allowHttp?: string;
  /** The copy that has to exist before the command is used. */
  readonly copy?: OwnCopy;
};

/** A command that starts this program, with the arguments that come before its own. */
export type Start = Pick<OwnCommand, 'command' | 'args'>;

/** A copy of this program that outlives its source: what `npx` fetches exists for one run only. */
export type OwnCopy = {
  /** The directory of the running package. */
  readonly from: string;
  /** The directory of the copy, named after its version. */
  readonly to: string;
  /** The path of the running Node, if it is removed together with `from`. It is then copied beside the launcher. */
  readonly node?: string;
};

/** The name of this program on PATH, wherever it is installed. */
const PROGRAM = 'platform-setup';

/**
 * Returns the command for an entry in a shared project: by the program's name on the PATH of each person. It contains
 * no path of this machine, and therefore not the directory of the files either.
 */
export const portableCommand = ({allowHttp}: OwnCommand): OwnCommand => ({
  command: PROGRAM,
  args: [],
  ...(allowHttp === undefined ? {} : {allowHttp}),
});

/** Returns the hosts in a comma-separated list, such as the value of --allow-http, in lower case. */
export const hostsIn = (list = ''): readonly string[] =>
  list
    .split(',')
    .map(host => host.trim().toLowerCase())
    .filter(Boolean);

/** Whether a command line starts this program by its name on PATH. */
export const isPortable = (command: string): boolean => command === PROGRAM || command.startsWith(`${PROGRAM} `);

/**
 * Returns the flags that this program gets whenever another program starts it; none if everything is as usual. They are
 * flags and not variables, because some assistants pass only a few variables on (Codex).
 */
export const ownFlags = ({home, allowHttp}: OwnCommand): readonly string[] => [
  ...(allowHttp === undefined ? [] : ['--allow-http', allowHttp]),
  ...(home === undefined ? [] : ['--setup-home', home]),
];
