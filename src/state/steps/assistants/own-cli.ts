import {asksForOwnCli, ownCliFile, ownCliName} from '../../derived/own-cli.ts';
import {answered} from '../../events.ts';
import {type AskStep, asks} from '../../step.ts';

/** Asks whether the platform's own CLI is signed in too. */
export const ownCli = {
  id: 'own-cli',
  stage: 'assistants',
  kind: 'ask',
  title: 'Sign in the platform’s own CLI too?',
  flag: '--cli-config',
  // Most people do not have the CLI. The last screen tells them how to sign it in.
  when: state => asksForOwnCli(state) && state.facts.ownCli?.installed !== false,
  done: ({answers}) => answers.ownCli !== undefined,
  forgets: asks('ownCli'),
  ask: state => ({
    type: 'question',
    heading: `Sign in ${ownCliName(state)} too?`,
    offers: [
      {
        label: 'Yes',
        hint: `Adds this deployment and your sign-in to its file, ${ownCliFile(state)}.`,
        event: answered({ownCli: true}),
      },
      {label: 'No', hint: 'It stays unchanged.', event: answered({ownCli: false})},
    ],
    initial: 0,
  }),
  // Another program's sign-in is changed only if the person asks for it.
  defaultAnswer: () => ({ownCli: false}),
} satisfies AskStep;
