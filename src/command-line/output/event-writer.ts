import {withoutRoleIn} from '../../state/derived/assistants-account.ts';
import type {WizardEvent} from '../../state/events.ts';
import type {WizardState} from '../../state/model.ts';
import {endsIn, notesOf, shownOutcomes} from '../../state/steps/review/outcome.ts';
import {
  contentIn,
  headlineOf,
  leftOut,
  leftToConnect,
  leftToCreate,
  whatIsSeen,
  whatWorks,
} from '../../state/steps/review/what-works.ts';
import {toLine} from '../../state/view/progress.ts';
import type {Terminal} from '../command.ts';
import {withIsoTimes} from './output.ts';

/** Reports a run without screens: each event as it happens, and the result at the end. A failure is thrown instead. */
export type EventWriter = {
  event(event: WizardEvent): void;
  /** @param now in milliseconds since the epoch */
  done(state: WizardState, now: number): void;
};

/** Creates a writer of one JSON object per line on standard output (`--json`), or of progress lines for people. */
export const createEventWriter = (
  {stdout, stderr}: Terminal,
  options: {json: boolean; quiet: boolean; home: string},
): EventWriter => {
  const line = (text: string) => stdout.tell(`${text}\n`);
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
      const text = toLine(event, {place: {home: options.home}});
      if (text === undefined) return;
      if (!options.quiet) line(text);
      // Nobody can sign in at an address that is not shown.
      else if (event.type === 'sign-in-waiting' || event.type === 'device-code') stderr.tell(`${text}\n`);
    },
    done: (state, now) => {
      for (const text of summary(state, now)) line(text);
    },
  };
};

/** Leaves out events that only drive the wizard: an answer is the caller's own, and a failure is in the last line. */
const isTold = ({type}: WizardEvent) =>
  type !== 'answered' && type !== 'learned' && type !== 'failed' && type !== 'call-started';

/** Returns the last line of a run that reached its end. */
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
    content: contentIn(state),
    servers: verified && verified.length > 0 ? verified.map(({content: _, ...server}) => server) : check?.servers,
    files: plan?.files.map(({path, change}) => ({path, change})),
    written: written?.paths,
  };
};

const summary = (state: WizardState, now: number): readonly string[] => [
  headlineOf(state, state.facts.deployment?.baseDomain),
  ...[whatIsSeen(state)].flatMap(sentence => (sentence === undefined ? [] : [`  ${sentence}`])),
  ...shownOutcomes(state).map(({assistant, text, path}) => `  ${assistant}: ${text}, through ${path}`),
  ...notesOf(state).map(note => `  ${note}`),
  ...[...leftToCreate(state), ...leftToConnect(state), ...(state.settings.demo ? [] : endsIn(state, now))].map(
    ({before, strong = ''}) => `  ${before}${strong}`,
  ),
  // Below everything else, and at the beginning of the line: a here-document ends only there.
  ...[withoutRoleIn(state)?.block].flatMap(block => (block === undefined ? [] : ['', block])),
];
