import {SETUP} from '../../setup-command.ts';
import type {Tell} from '../flow.ts';
import type {Target} from './assistant-entry.ts';
import type {AssistantFile, ComposeInput} from './assistant-file.ts';
import {leftAlone} from './ownership.ts';

/** Tells what a person may not expect of what is planned, before anything is written. */
export const tellWarnings = (
  {targets, entries}: Pick<ComposeInput, 'targets' | 'entries'>,
  files: readonly AssistantFile[],
  tell: Tell,
): void => {
  const adding = files.filter(({targets: of}) => of.some(({renews}) => !renews));
  const staying = adding.filter(({names}) => names.length > entries.length);
  const isAlone = adding.length > staying.length;
  if (isAlone && entries.every(({server}) => server === 'observability')) {
    const message =
      'Only the observability server is added, but many of its tools need UUIDs that come from the control plane’s tools.';
    tell({type: 'warning', message});
  }
  for (const file of staying) warnOfStaying(file, tell);
  for (const target of targets) {
    warnOfOtherWay(target, tell);
    warnOfOtherFile(target, tell);
  }
  if (targets.some(({method, renews}) => method === 'oauth' && !renews)) tell({type: 'warning', message: OWN_SIGN_IN});
  for (const file of files) warnOfOff(file, tell);
  for (const file of files) warnOfLeft(file, tell);
};

/** Who names one server may expect that the other one leaves. */
const warnOfStaying = ({path, targets}: AssistantFile, tell: Tell) => {
  const ids = targets.map(({assistant}) => assistant.id).join(' ');
  const message = `The entry that ${path} has for the other server stays. To remove it, run ${SETUP} mcp disconnect ${ids} first.`;
  tell({type: 'warning', message});
};

/** Who wanted a way that this assistant does not have is not left to believe that it is the one. */
const warnOfOtherWay = ({assistant: {name, entry}, method, wanted, refused}: Target, tell: Tell) => {
  if (wanted === undefined) return;
  if (refused !== undefined) {
    tell({type: 'warning', message: `${refused} So ${name} is connected by ${article(method)} ${ways[method]}.`});
    return;
  }
  const isUnknown = wanted === 'helper' && entry.helper !== undefined;
  const lacks = isUnknown ? 'may not support a helper in this version' : lacking[wanted];
  tell({
    type: 'warning',
    message: `${name} ${lacks}; it is connected by ${article(method)} ${ways[method]}.`,
  });
};

/** Nor is who wanted it in every project left to believe that. */
const warnOfOtherFile = ({assistant: {name}, spared}: Target, tell: Tell) => {
  if (spared === undefined) return;
  const message = `${name} has no settings file yet, and a new one would replace ${spared}, so it is connected in this project only.`;
  tell({type: 'warning', message});
};

/** What the person has switched off is written, and not used. */
const warnOfOff = ({off, targets}: AssistantFile, tell: Tell) => {
  const [target] = targets;
  if (off.length === 0 || !target) return;
  const names = off.map(name => `“${name}”`).join(' and ');
  const {name} = target.assistant;
  tell({
    type: 'warning',
    message: `${names} ${off.length === 1 ? 'is' : 'are'} switched off in ${name}, and ${off.length === 1 ? 'stays' : 'stay'} off.`,
  });
};

/** What became the person's is not renewed. */
const warnOfLeft = ({left, path, targets}: AssistantFile, tell: Tell) => {
  const ids = targets.map(({assistant}) => assistant.id).join(' ');
  if (left.length === 0) return;
  const message = `${leftAlone(path, left)}. To have ${left.length === 1 ? 'it' : 'them'} replaced, run ${SETUP} mcp connect ${ids} --replace.`;
  tell({type: 'warning', message});
};

const OWN_SIGN_IN =
  'Each assistant keeps its own sign-in, and each of its windows renews it separately. If refresh tokens can be used only once, one window can sign another out.';

const article = (method: Target['method']) => (method === 'helper' || method === 'bridge' ? 'the' : 'a');

const lacking = {
  helper: 'has no helper',
  bridge: 'has no bridge',
  header: 'has no token in its file',
  oauth: 'is not known to keep a sign-in of its own',
} as const;

const ways = {
  helper: 'helper',
  bridge: 'bridge',
  header: 'token in its file',
  oauth: 'sign-in of its own',
} as const;
