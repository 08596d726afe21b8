import {SETUP} from '../setup-command.ts';

/** The shells that have a completion script. */
export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

export type Shell = (typeof shells)[number];

/** The names of the program in a shell, besides npx. */
export const programs = ['setup', 'platform-setup'] as const;

/** The word with which the script asks for the names of contexts. Help does not list it. */
export const CONTEXT_NAMES = 'contexts';

/**
 * The words that start the same program that printed the script, by absolute paths: the runtime, its arguments, and the
 * launcher at the end. Its name alone may fetch it first, as npx does, which takes seconds at each Tab. Empty if the
 * paths are unknown. If one of them no longer exists, the script calls the program as the person does.
 */
export type OwnWords = readonly string[];

/** Returns the two files that have to exist for these words to start a program. */
export const pathsOf = (own: OwnWords): readonly [runtime: string, launcher: string] | undefined => {
  const [runtime, launcher] = [own[0], own.at(-1)];
  return runtime === undefined || launcher === undefined || own.length < 2 ? undefined : [runtime, launcher];
};

/** Quotes a word for shells of the Bourne family. */
export const posixQuoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** The command that installs each script, to be typed once. */
export const installation: Readonly<Record<Shell, string>> = {
  bash: `${SETUP} completion bash > ~/.setup-completion.bash && echo '. ~/.setup-completion.bash' >> ~/.bashrc`,
  zsh: `${SETUP} completion zsh > ~/.setup-completion.zsh && echo '. ~/.setup-completion.zsh' >> ~/.zshrc`,
  fish: `${SETUP} completion fish > ~/.config/fish/conf.d/setup-completion.fish`,
  powershell: `${SETUP} completion powershell >> $PROFILE`,
};

/** Returns how each script is installed, for the help. */
export const installationHelp = (): string =>
  `Install it once\n${shells.map(shell => `  ${shell}\n    ${installation[shell].replace(' && ', ' &&\n      ')}`).join('\n')}\n`;
