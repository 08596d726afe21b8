import type {Method} from '../../domain/assistant-entry.ts';
import type {Context} from '../../domain/context.ts';
import type {Fix} from '../../domain/finding.ts';
import {SetupError} from '../../errors/errors.ts';
import {findAssistants, planFiles, type Target, withinRules, writeFiles} from '../assistants/entry.ts';
import type {Flow} from '../flow.ts';
import {planOwnCli, writeOwnCli} from '../own-cli/entry.ts';
import {reportingToItsEnd} from '../reporting.ts';
import {savedEntriesOf} from '../saved-entries.ts';
import {accessTokenNow, takeTokens} from '../sign-in/entry.ts';
import type {Machine, Subject} from './check.ts';

type Input = {readonly fix: Exclude<Fix, 'sign-in'>; readonly subject: Subject; readonly machine: Machine};

/**
 * Does what a check offers, through the journal like every other write.
 *
 * @throws SetupError `local-*`, and those of a renewal
 */
export const applyFix: Flow<Input, void> = async function* (input, ports, signal) {
  if (input.fix === 'reconnect') {
    yield* reconnect(input, ports, signal);
    return;
  }
  if (input.fix === 'own-cli') {
    yield* enterInOwnCli(input, ports, signal);
    return;
  }
  yield* reportingToItsEnd(async () => {
    const {path} = ports.credentials;
    const contents = await ports.files.read(path);
    if (contents)
      await ports.files.write(path, contents.bytes, {
        mode: 0o600,
        tighten: true,
        own: true,
        secret: true,
        journal: false,
      });
  });
};

const reconnect: Flow<Input, void> = async function* ({subject, machine}, ports, signal) {
  const {context, platform} = subject;
  if (!context) return;
  const {signIn, serverTokens} = yield* takeTokens(context, ports, signal);
  const {assistants, place, own} = machine;
  const entries = savedEntriesOf(context, platform);
  const urls = entries.map(({url}) => url);
  const here = yield* findAssistants({assistants, place, commands: true, urls}, ports, signal);
  const rules = {
    assistants,
    found: here,
    entries,
    place,
    own,
    context: context.name,
    connected: here.map(({id}) => id),
  };
  const found = yield* withinRules(rules, ports, signal);
  const methods = new Map(found.map(one => [one.id, one.methods] as const));
  const failed: string[] = [];
  for (const target of targetsOf(context, machine, methods)) {
    const input = {
      ...{targets: [target], place, entries, every: entries, own, context: context.name},
      tokens: {signIn, ...serverTokens},
      ...{ownFiles: 'none' as const, replace: false},
      // Nothing is committed because of a fix.
      inGit: 'ignore',
    } as const;
    try {
      const plan = yield* planFiles(input, ports, signal);
      yield* writeFiles({plan, context: context.name}, ports, signal);
    } catch (error) {
      // One file that cannot be mended must not keep the others from it.
      if (!(error instanceof SetupError) || error.code === 'cancelled') throw error;
      failed.push(error.message);
    }
  }
  if (failed.length > 0) {
    throw new SetupError('local-file-invalid', `Not everything could be fixed. ${failed.join(' ')}`);
  }
};

const enterInOwnCli: Flow<Input, void> = async function* ({subject, machine}, ports, signal) {
  const {context, platform} = subject;
  if (!context) return;
  yield* accessTokenNow(context, ports, signal);
  const input = {platform, context, home: machine.place.home, replace: true};
  const planned = yield* planOwnCli(input, ports, signal);
  yield* writeOwnCli({context: context.name, planned}, ports, signal);
};

/** Each by the method that it has, unless its client cannot do that any more. */
const targetsOf = (
  {entries = []}: Context,
  {assistants}: Machine,
  methods: ReadonlyMap<string, readonly Method[]>,
): readonly Target[] =>
  entries.flatMap(renews => {
    const {scope, method} = renews;
    const assistant = assistants.find(({id}) => id === renews.assistant);
    const possible = methods.get(renews.assistant) ?? ['bridge'];
    const kept = possible.includes(method) ? method : (possible[0] ?? 'bridge');
    const {oauthClient, tools} = renews;
    const client = kept === 'oauth' && oauthClient !== undefined ? {oauthClient} : {};
    return assistant ? [{assistant, scope, method: kept, ...client, ...(tools ? {tools} : {}), renews}] : [];
  });
