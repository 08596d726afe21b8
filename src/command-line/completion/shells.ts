import {SETUP} from '../../setup-command.ts';
/** The shells for which there is a completion script. */
export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

export type Shell = (typeof shells)[number];

/** How the program may be called in a shell, besides by npx. */
export const programs = ['setup', 'platform-setup'] as const;

/** What the script calls for the names of contexts: a word that help does not list. */
export const CONTEXT_NAMES = 'contexts';

/**
 * The words that start the very program that made a script, by absolute paths: the runtime, what that takes, and the
 * launcher at the end. By its name it may be fetched first, as npx does, which takes seconds at each Tab. Empty where that
 * is not known; where one of the paths is gone, the script calls it as the person does.
 */
export type OwnWords = readonly string[];

/** What has to be there for these words to start a program. */
export const pathsOf = (own: OwnWords): readonly [runtime: string, launcher: string] | undefined => {
  const [runtime, launcher] = [own[0], own.at(-1)];
  return runtime === undefined || launcher === undefined || own.length < 2 ? undefined : [runtime, launcher];
};

/** A word as shells of the Bourne family take it. */
export const posixQuoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** Where the script goes, by what is typed once. */
export const installation: Readonly<Record<Shell, string>> = {
  bash: `${SETUP} completion bash > ~/.setup-completion.bash && echo '. ~/.setup-completion.bash' >> ~/.bashrc`,
  zsh: `${SETUP} completion zsh > ~/.setup-completion.zsh && echo '. ~/.setup-completion.zsh' >> ~/.zshrc`,
  fish: `${SETUP} completion fish > ~/.config/fish/conf.d/setup-completion.fish`,
  powershell: `${SETUP} completion powershell >> $PROFILE`,
};

/** How each script is installed, for the help. */
export const installationHelp = (): string =>
  `Install it once\n${shells.map(shell => `  ${shell}\n    ${installation[shell].replace(' && ', ' &&\n      ')}`).join('\n')}\n`;
