import {SETUP} from '../../setup-command.ts';
/** The shells for which there is a completion script. */
export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

export type Shell = (typeof shells)[number];

/** How the program may be called in a shell, besides by npx. */
export const programs = ['setup', 'platform-setup'] as const;

/** What the script calls for the names of contexts: a word that help does not list. */
export const CONTEXT_NAMES = 'contexts';

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
