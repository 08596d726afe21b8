import {showPath} from '../derived/show-path.ts';
import type {WizardState} from '../model.ts';
import type {Step} from '../step.ts';
import type {Intro} from './view.ts';

/**
 * Returns what a new user reads first: what this program does, what it leaves alone, and what it has found on this
 * machine. It is shown only if no platform is saved, and until the person has chosen one.
 */
export const introOf = ({settings, answers, seen}: WizardState, {stage}: Step): {readonly intro?: Intro} => {
  const isNew = settings.saved === undefined && settings.unfinished === undefined && settings.login !== true;
  if (!isNew || stage !== 'deployment' || answers.deploymentAccepted) return {};
  if (settings.demo) return {intro: {text: DEMONSTRATION, found: []}};
  const project: readonly [string, string] = ['Project', showPath(settings.place.project, settings)];
  return {
    intro: {
      text: PURPOSE,
      found: [project, ...(seen ? [['Assistants', listOf(seen)] as const] : [])],
    },
  };
};

const PURPOSE =
  'Finds your platform, signs you in and connects your AI assistants. You review every change before it is made.';

const DEMONSTRATION =
  'Shows how a platform is found, how you sign in and how your AI assistants are connected. Everything runs in a sandbox: nothing on this machine changes.';

/** The number of names that are listed; the rest is counted. */
const MOST = 4;

const listOf = (names: readonly string[]): string => {
  if (names.length === 0) return 'none found';
  const rest = names.length - MOST;
  return rest > 1 ? `${names.slice(0, MOST).join(', ')} and ${rest} more` : names.join(', ');
};
