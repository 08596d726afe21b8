import type {Env} from '../../ports/ports.ts';
import {isByPerson} from '../../state/events.ts';
import {headerOf} from '../../state/view/view-of.ts';
import type {Wizard} from '../../state/wizard.ts';

/** What a terminal can do besides showing a screen: set the title of its tab, and call the person back to it. */
export type TerminalMeans = {
  /** True if a title can be set, and the former one put back. */
  readonly hasTitle: boolean;
  /** How a notification is sent; the bell where the terminal has none. */
  readonly notifies: 'osc-9' | 'osc-777' | 'bell';
};

/**
 * Returns what a terminal can do, by what is known of it; undefined if the person wants none of it
 * (`SETUP_SIGNALS=off`). A terminal that might print a sequence instead of obeying it gets only the bell.
 */
export const meansOf = ({
  SETUP_SIGNALS,
  TERM = '',
  TERM_PROGRAM = '',
  TMUX,
  STY,
  KITTY_WINDOW_ID,
}: Env): TerminalMeans | undefined => {
  if (SETUP_SIGNALS === 'off') return undefined;
  // Inside tmux or GNU Screen, the variables of the terminal outside may still be set, but do not apply. GNU Screen
  // cannot put a title back.
  const isInside = Boolean(TMUX || STY);
  const hasTitle = TMUX ? true : !STY && titled.test(TERM);
  const hasNine =
    !isInside && (Boolean(KITTY_WINDOW_ID) || nine.has(TERM_PROGRAM) || /^xterm-(?:kitty|ghostty)$/.test(TERM));
  const hasSeven = !isInside && /^(?:foot|rxvt)/.test(TERM);
  return {hasTitle, notifies: hasNine ? 'osc-9' : hasSeven ? 'osc-777' : 'bell'};
};

/**
 * Returns whether a terminal makes links of addresses (OSC 8), as far as its environment says. GNU Screen passes on the
 * environment of the terminal outside, but makes no links.
 */
export const hasLinks = async ({SETUP_SIGNALS, STY}: Env, stream: {readonly isTTY?: boolean}): Promise<boolean> => {
  if (SETUP_SIGNALS === 'off' || STY) return false;
  const {createSupportsHyperlinks} = await import('supports-hyperlinks');
  return createSupportsHyperlinks(stream);
};

/** The terminals that have a stack of titles (XTWINOPS 22 and 23), by the beginning of TERM. */
const titled = /^(?:xterm|tmux|rxvt|alacritty|foot|kitty|wezterm|ghostty|konsole|vte|contour)/;

/** The terminals that show OSC 9 as a notification, by TERM_PROGRAM. */
const nine: ReadonlySet<string> = new Set(['iTerm.app', 'WezTerm', 'ghostty']);

const [ESC, BEL] = ['\u001B', '\u0007'];

/** The sequences that put the current title of a tab on the terminal's stack, and that take it from there again. */
const [SAVE_TITLE, RESTORE_TITLE] = [`${ESC}[22;2t`, `${ESC}[23;2t`];

/** Returns the sequence that calls the person back with a text, which must be free of control characters. */
const notification = ({notifies}: TerminalMeans, text: string): string => {
  if (notifies === 'osc-9') return `${ESC}]9;${text}${BEL}`;
  return notifies === 'osc-777' ? `${ESC}]777;notify;${TITLE};${text}${BEL}` : BEL;
};

const TITLE = 'Platform setup';

/**
 * Shows the current stage of the wizard in the title of the tab, and calls the person back when an answer comes while
 * they are in the browser. Returns a function that stops this and puts the former title back.
 */
export const signalTerminal = (
  {state, subscribe}: Pick<Wizard, 'state' | 'subscribe'>,
  {raw, means}: {readonly raw: Pick<NodeJS.WritableStream, 'write'>; readonly means: TerminalMeans | undefined},
): (() => void) => {
  if (!means) return () => {};
  let shown = '';
  const showTitle = () => {
    const {title, stages} = headerOf(state());
    const current = stages.find(({status}) => status === 'current')?.name;
    const stage = current ?? (stages.length === 0 ? 'Home' : 'Done');
    const next = `${title}: ${stage}`;
    if (!means.hasTitle || next === shown) return;
    raw.write(`${shown === '' ? SAVE_TITLE : ''}${ESC}]2;${next}${BEL}`);
    shown = next;
  };
  let isAway = false;
  const unsubscribe = subscribe(event => {
    showTitle();
    if (event.type === 'sign-in-waiting' || event.type === 'device-code') isAway = true;
    // A person who presses a key sits at the terminal again.
    else if (isByPerson(event)) isAway = false;
    else if (isAway && (event.type === 'token-obtained' || event.type === 'failed')) {
      isAway = false;
      raw.write(notification(means, event.type === 'failed' ? 'The sign-in failed.' : 'You are signed in.'));
    }
  });
  showTitle();
  return () => {
    unsubscribe();
    if (shown !== '') raw.write(RESTORE_TITLE);
  };
};
