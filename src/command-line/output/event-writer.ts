import {SETUP} from '../../setup-command.ts';
import type {WizardEvent} from '../../state/events.ts';
import type {WizardState} from '../../state/model.ts';
import {notesOf, shownOutcomes} from '../../state/steps/review/outcome.ts';
import {leftOut, whatWorks} from '../../state/steps/review/what-works.ts';
import {toLine} from '../../state/view/event-texts.ts';
import type {Terminal} from '../command.ts';
import {withIsoTimes} from './iso-times.ts';

/** How a run without a wizard is told: each event as it happens, and at the end the result or the failure. */
export type EventWriter = {
  event(event: WizardEvent): void;
  done(state: WizardState): void;
};

/** One JSON object per line on standard output (`--json`), or progress lines for people. */
export const createEventWriter = (
  {stdout}: Terminal,
  options: {json: boolean; quiet: boolean; home: string},
): EventWriter => {
  const line = (text: string) => stdout.write(`${text}\n`);
  if (options.json) {
    return {
      event: event => {
        if (isTold(event)) stdout.writeJson(withIsoTimes(event));
      },
      done: state => stdout.writeJson(doneEvent(state)),
    };
  }
  return {
    event: event => {
      const text = options.quiet ? undefined : toLine(event, options.home);
      if (text !== undefined) line(text);
    },
    done: state => {
      for (const text of summary(state)) line(text);
    },
  };
};

/** What drives the wizard is not what it tells: an answer is the caller's own, and a failure is the last line. */
const isTold = ({type}: WizardEvent) =>
  type !== 'answered' && type !== 'learned' && type !== 'failed' && type !== 'call-started';

/** The last line of a run that reached its end. */
const doneEvent = (state: WizardState) => {
  const {deployment, token, check, written, verified, plan} = state.facts;
  return {
    type: 'done',
    works: whatWorks(state),
    leftOut: leftOut(state),
    ...deployment,
    account: token?.account,
    expiresAt: token?.expiresAt === undefined ? undefined : new Date(token.expiresAt).toISOString(),
    access: check?.access,
    servers: verified && verified.length > 0 ? verified : check?.servers,
    files: plan?.files.map(({path, change}) => ({path, change})),
    written: written?.paths,
  };
};

const summary = (state: WizardState): readonly string[] => [
  headingOf(state),
  ...shownOutcomes(state).map(({assistant, text, path}) => `  ${assistant}: ${text}, through ${path}`),
  ...notesOf(state).map(note => `  ${note}`),
  ...leftToDo(state).map(note => `  ${note}`),
];

const headingOf = (state: WizardState): string => {
  const {deployment, token} = state.facts;
  const signedIn = `You are signed in to ${deployment?.baseDomain} as ${token?.account}`;
  switch (whatWorks(state)) {
    case 'without-role':
      return `${deployment?.baseDomain} is connected, but the account has no role yet.`;
    case 'signed-in':
      return `${signedIn}. No assistant is connected.`;
    case 'file':
      return `${signedIn}. The MCP servers are in a file that none of your assistants reads by itself.`;
    case 'assistants':
      return `All set: your assistants can reach ${deployment?.baseDomain}.`;
  }
};

/** What was left out, and what the person has to do for it. */
const leftToDo = (state: WizardState): readonly string[] => {
  const connect = `${SETUP} mcp connect`;
  const [first, ...others] = leftOut(state);
  if (first !== undefined) {
    const are = others.length === 0 ? 'is' : 'are';
    const ids = [first, ...others];
    return [`${ids.join(', ')} ${are} on this machine and not connected. To connect: ${connect} ${ids.join(' ')}`];
  }
  switch (whatWorks(state)) {
    case 'signed-in':
      return [`To connect assistants, run ${connect}`];
    case 'file':
      return [`Have an MCP client read that file, or connect an assistant once it is installed: ${connect}`];
    default:
      return [];
  }
};
