import {isCreating} from '../../derived/wizard-deployment.ts';
import {answered} from '../../events.ts';
import {type AskStep, asks} from '../../step.ts';

/** Asks for the administrator who creates an MCP client. */
export const admin = {
  id: 'admin',
  stage: 'sign-in',
  kind: 'ask',
  title: 'Sign in as an administrator',
  flag: '--admin-username and --admin-password-stdin',
  // Only the bundled identity provider has administrators of the platform.
  when: state => isCreating(state) && !state.facts.deployment?.withoutRecipe,
  done: ({answers}) => answers.adminEntered === true,
  forgets: asks('adminEntered', 'existingClient'),
  ask: ({answers: {adminUsername}}) => ({
    type: 'form',
    explanation:
      'To create the MCP client, sign in as an administrator. The password is sent to the identity provider once and not saved.',
    name: {label: 'Administrator', initial: adminUsername ?? '', isKnown: adminUsername !== undefined},
    secret: {label: 'Password', read: typed => typed},
    toEvent: (adminUsername, adminPassword) => answered({adminUsername, adminPassword, adminEntered: true}),
  }),
} satisfies AskStep;
