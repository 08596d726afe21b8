/** How this program is started again by others, which have no PATH, no variables and no directory of ours. */
export type OwnCommand = {
  readonly command: string;
  readonly args: readonly string[];
  /** The directory of its files, where that is not the usual one. */
  readonly home?: string;
  /** Hosts that it may call without TLS, as the flag has them. */
  readonly allowHttp?: string;
  /** What has to be there before it is started so. */
  readonly copy?: OwnCopy;
};

/** What starts a program of ours, without what it is told. */
export type Start = Pick<OwnCommand, 'command' | 'args'>;

/** A copy of this program that stays when what it was started from goes: what `npx` fetches is there for one run. */
export type OwnCopy = {
  /** Directory of the package that runs now. */
  readonly from: string;
  /** Directory of the copy, named after its version. */
  readonly to: string;
  /** The Node that runs now, where it goes as well: the copy has it beside the launcher. */
  readonly node?: string;
};

/** What this program is called on PATH, wherever it is installed. */
const PROGRAM = 'platform-setup';

/**
 * The same for an entry in a project that others work in: by its name on their PATH. None of this machine's paths is in
 * it, and so not the directory of the files either.
 */
export const portableCommand = ({allowHttp}: OwnCommand): OwnCommand => ({
  command: PROGRAM,
  args: [],
  ...(allowHttp === undefined ? {} : {allowHttp}),
});

/** Whether a command line starts this program by its name on PATH. */
export const isPortable = (command: string): boolean => command === PROGRAM || command.startsWith(`${PROGRAM} `);

/** The flags that this program gets each time that it is started by another: none for what is as usual. */
export const ownFlags = ({home, allowHttp}: OwnCommand): readonly string[] => [
  ...(allowHttp === undefined ? [] : ['--allow-http', allowHttp]),
  ...(home === undefined ? [] : ['--setup-home', home]),
];
