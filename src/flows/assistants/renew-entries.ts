import type {Assistant} from '../../assistants/assistant.ts';
import type {Place} from '../../assistants/place.ts';
import type {Context, Method} from '../../domain/context.ts';
import type {OwnCommand} from '../../domain/own-command.ts';
import {SetupError} from '../../errors/errors.ts';
import {phrase, setup} from '../../errors/remedy.ts';
import type {Platform} from '../../platform/platform.ts';
import type {Flow} from '../flow.ts';
import {savedEntriesOf} from '../saved-entries.ts';
import {takeTokens} from '../sign-in/resume-sign-in.ts';
import type {Target} from './assistant-entry.ts';
import {findAssistants} from './find-assistants.ts';
import {applyRules} from './organisation-rules.ts';
import {planFiles} from './plan-files.ts';
import {writeFiles} from './write-files.ts';

type Input = {
  readonly context: Context;
  readonly platform: Platform;
  readonly assistants: readonly Assistant[];
  readonly place: Place;
  readonly own: OwnCommand;
};

/**
 * Writes the entries of a context again as they should be, each file by itself: with the current token, and with this
 * program where it is now.
 *
 * @throws SetupError `local-file-invalid` that names every file that could not be written; the errors of a renewal
 */
export const renewEntries: Flow<Input, void> = async ({context, platform, assistants, place, own}, run) => {
  const {signIn, serverTokens} = await takeTokens(context, run);
  const entries = savedEntriesOf(context, platform);
  const urls = entries.map(({url}) => url);
  const here = await findAssistants({assistants, place, commands: true, urls}, run);
  const rules = {
    assistants,
    found: here,
    entries,
    place,
    own,
    context: context.name,
    connected: here.map(({id}) => id),
  };
  const found = await applyRules(rules, run);
  const methods = new Map(found.map(one => [one.id, one.methods] as const));
  const failed: SetupError[] = [];
  for (const target of targetsOf(context, assistants, methods)) {
    const input = {
      ...{targets: [target], place, entries, every: entries, own, context: context.name},
      tokens: {signIn, ...serverTokens},
      ...{ownFiles: 'none' as const, replace: false},
      // A renewal must not lead to a token being committed.
      inGit: 'ignore',
    } as const;
    try {
      const plan = await planFiles(input, run);
      await writeFiles({plan, context: context.name}, run);
    } catch (error) {
      // A file that cannot be written must not prevent the others from being written.
      if (!(error instanceof SetupError) || error.code === 'cancelled') throw error;
      const connect = setup('mcp connect', `${target.assistant.id} --scope ${target.scope} --overwrite-read-only`);
      failed.push(
        error.code === 'local-file-read-only'
          ? error.saying('', phrase`Make the file writable, or run ${connect}. It stays read-only after the change.`)
          : error,
      );
    }
  }
  const [first] = failed;
  if (first) {
    throw new SetupError(first.code, `Not everything could be fixed. ${failed.map(({message}) => message).join(' ')}`, {
      remedy: failed.map(({code, remedy}) => remedy ?? {of: code}),
    });
  }
};

/** Returns the targets of the renewal. Each entry keeps its method, unless its assistant no longer supports that. */
const targetsOf = (
  {entries = []}: Context,
  assistants: readonly Assistant[],
  methods: ReadonlyMap<string, readonly Method[]>,
): readonly Target[] =>
  entries.flatMap(renews => {
    const {scope, method} = renews;
    const assistant = assistants.find(({id}) => id === renews.assistant);
    const possible = methods.get(renews.assistant) ?? ['bridge'];
    const used = possible.includes(method) ? method : (possible[0] ?? 'bridge');
    const {oauthClient, tools} = renews;
    const client = used === 'oauth' && oauthClient !== undefined ? {oauthClient} : {};
    return assistant ? [{assistant, scope, method: used, ...client, ...(tools ? {tools} : {}), renews}] : [];
  });
