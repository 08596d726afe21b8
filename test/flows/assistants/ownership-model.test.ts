import fc from 'fast-check';
import {loadAll as parseYaml} from 'js-yaml';
import {parse as parseToml} from 'smol-toml';
import {describe, expect, test} from 'vitest';
import {allAssistants} from '../../../src/assistants/catalogue/all.ts';
import type {Editor} from '../../../src/assistants/formats/entry-format.ts';
import type {Place} from '../../../src/assistants/place.ts';
import {SIGNED_OUT_TOKEN} from '../../../src/domain/credentials.ts';
import {Secret} from '../../../src/domain/secret.ts';
import {disconnectAssistants} from '../../../src/flows/assistants/disconnect-assistants.ts';
import {planFiles} from '../../../src/flows/assistants/plan-files.ts';
import {writeFiles} from '../../../src/flows/assistants/write-files.ts';
import type {Subject} from '../../../src/flows/diagnosis/check.ts';
import {applyFix} from '../../../src/flows/diagnosis/fixes.ts';
import {signOut} from '../../../src/flows/sign-out.ts';
import {undoWrites} from '../../../src/flows/undo.ts';
import {uninstall} from '../../../src/flows/uninstall.ts';
import {bundled} from '../../../src/platform/platforms.ts';
import {collect} from '../../support/flows.ts';
import {memoryPorts} from '../../support/memory-ports.ts';
import {propertyRuns} from '../../support/property-runs.ts';
import {context, entries, jwt} from './support/machine.ts';

const place: Place = {home: '/home/ann', project: '/work', system: 'linux', env: {}};
const names = entries.map(({label}) => label);
const own = {command: '/usr/bin/node', args: ['/opt/setup.js']};

/** An assistant of each file format, with a person's file to begin with and the mark that begins a comment. */
const kinds = [
  {
    id: 'cursor',
    comment: '//',
    texts: [undefined, '', '{}\n', '{ // mine\n "mcpServers": {"p0": {"url": "https://p0"}} }\n'],
  },
  {id: 'zed', comment: '//', texts: [undefined, '{\n\t"theme": "x", // mine\n}\n']},
  {
    id: 'codex-cli',
    comment: '#',
    texts: [undefined, '# mine\nmodel = "x"\n\n[mcp_servers.p0]\nurl = "https://p0" # mine\n'],
  },
  {id: 'goose', comment: '#', texts: [undefined, 'GOOSE_MODEL: x # mine\nextensions:\n  p0: {type: builtin} # mine\n']},
  {
    id: 'continue',
    comment: '#',
    texts: ['name: x # mine\nversion: 1.0.0\nschema: v1\nmcpServers:\n  - name: p0\n    url: https://p0\n'],
  },
] as const;

/** The owner of an entry, and the members that a person put in it. */
type Entry =
  | {readonly whose: 'nobody'}
  | {readonly whose: 'ours'; readonly method: 'header' | 'bridge'; readonly members: Readonly<Record<string, string>>}
  | {readonly whose: 'theirs'; readonly value: Readonly<Record<string, unknown>>};

/** The owner of everything in the file. */
type Model = {
  readonly isSignedIn: boolean;
  readonly isConnected: boolean;
  readonly entries: readonly [Entry, Entry];
  /** The person's servers. */
  readonly others: Readonly<Record<string, object>>;
  /** The person's comments. */
  readonly comments: readonly string[];
};

/** The file before a run and after it. */
type Step = {
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly model: Model;
  readonly endings: number;
};

const nobody: Entry = {whose: 'nobody'};

const assistantOf = (id: string) => allAssistants.find(one => one.id === id) ?? expect.fail();

/** Parses with libraries that neither the editors nor their dependencies use. */
const parse = (id: string, text: string): Readonly<Record<string, unknown>> => {
  if (text.trim() === '') return {};
  if (id === 'codex-cli') return (parseToml(text).mcp_servers ?? {}) as Readonly<Record<string, unknown>>;
  const [yaml = {}] = (id === 'goose' || id === 'continue' ? parseYaml(text) : []) as readonly {
    readonly extensions?: Readonly<Record<string, unknown>>;
    readonly mcpServers?: readonly {readonly name: string}[];
  }[];
  if (id === 'goose') return yaml.extensions ?? {};
  if (id === 'continue') return Object.fromEntries((yaml.mcpServers ?? []).map(({name, ...entry}) => [name, entry]));
  const json = JSON.parse(text.replaceAll(/\/\/ [^\n]*/g, '').replaceAll(/,(\s*[}\]])/g, '$1'));
  return json.mcpServers ?? json.context_servers ?? {};
};

const scene = async (kind: (typeof kinds)[number], start: string | undefined) => {
  const memory = memoryPorts();
  const {ports} = memory;
  const assistant = assistantOf(kind.id);
  const [path = ''] = assistant.files('user', place);
  const editor: Editor = await assistant.format.editor();
  if (start !== undefined) memory.put(path, start);
  await ports.config.saveContext(context);
  await ports.journal.forget((await ports.journal.list())[0] ?? expect.fail());
  const steps: Step[] = [];
  let token = 0;
  let endings = 0;
  const fresh = () => {
    token += 1;
    return jwt(4_000_000_000 + token);
  };
  let access = fresh();
  const signIn = () =>
    ports.credentials.replace(context, {
      ...context,
      account: undefined,
      issuer: context.issuer,
      clientId: 'cli',
      accessToken: access,
      obtainedAt: 1_700_000_000_000,
      expiresAt: 4_000_000_000_000,
    } as never);
  await signIn();
  const first = start === undefined ? {} : parse(kind.id, start);
  let model: Model = {
    ...{isSignedIn: true, isConnected: false, entries: [nobody, nobody]},
    others: Object.fromEntries(Object.entries(first)) as never,
    comments: (start ?? '').includes(`${kind.comment} mine`) ? [`${kind.comment} mine`] : [],
  };
  const saved = async () => (await ports.config.read()).contexts[0] ?? context;
  const text = () => memory.text(path);
  const input = {
    place,
    entries,
    every: entries,
    own,
    context: 'acme',
    ownFiles: 'none' as const,
    inGit: 'write',
    replace: false,
  } as const;
  const write = async (targets: readonly object[]) => {
    const tokens = {signIn: new Secret(access)};
    const {result: plan} = await collect(planFiles, {...input, tokens, targets: targets as never}, ports);
    await collect(writeFiles, {plan, context: 'acme'}, ports);
  };
  /** Runs a start of the program, and records what it did to the file. */
  const run = async (work: () => Promise<unknown>) => {
    memory.begin();
    const before = text();
    const known = model;
    await work();
    if (text() !== before) steps.push({before, after: text(), model: known, endings});
  };
  const change = (next: Partial<Model>) => {
    model = {...model, ...next};
  };
  const edit = (next: string) => {
    memory.put(path, next);
  };
  const secrets = () => Array.from({length: token}, (_, index) => jwt(4_000_000_001 + index));
  /** Replaces every token of ours in a text by the same word. */
  const bare = (one: string | undefined) =>
    secrets()
      .reduce((at, secret) => at.replaceAll(secret, '@'), one ?? '')
      .replaceAll(SIGNED_OUT_TOKEN, '@');

  /** Checks that every byte of the person's is there, and that our entries are as they should be. */
  const check = () => {
    const now = text() ?? '';
    const found = parse(kind.id, now);
    for (const comment of model.comments) expect(now).toContain(comment);
    for (const [name, value] of Object.entries(model.others)) expect(found[name]).toEqual(value);
    for (const [index, entry] of model.entries.entries()) {
      const value = found[names[index] ?? ''] as Record<string, unknown> | undefined;
      if (entry.whose === 'nobody') expect(value).toBeUndefined();
      else if (entry.whose === 'theirs') expect(value).toEqual(entry.value);
      else {
        expect(value).toMatchObject(entry.members);
        const connection = assistant.entry.read(value);
        expect(connection?.kind).toBe(entry.method === 'header' ? 'header' : 'command');
        if (connection?.kind !== 'header') continue;
        const header = connection.headers.Authorization?.slice(7) ?? '';
        if (!model.isSignedIn) expect(header).toBe(SIGNED_OUT_TOKEN);
        else expect([...secrets(), SIGNED_OUT_TOKEN]).toContain(header);
      }
    }
    const expected = [
      ...Object.keys(model.others),
      ...model.entries.flatMap(({whose}, index) => (whose === 'nobody' ? [] : (names[index] ?? ''))),
    ];
    expect(Object.keys(found).sort()).toEqual(expected.sort());
    for (const secret of secrets()) expect(memory.journalText()).not.toContain(secret);
  };

  const theirsIn = () => model.entries.some(({whose}) => whose === 'theirs');
  const renewed = () =>
    model.entries.map(entry =>
      entry.whose === 'theirs' || !model.isConnected ? entry : {...entry, ...oursOf(entry)},
    ) as never;
  let method: 'header' | 'bridge' = 'bridge';
  const oursOf = (entry: Entry) => ({
    whose: 'ours' as const,
    method,
    members: entry.whose === 'ours' ? entry.members : {},
  });
  const renewals = async () =>
    (await saved()).entries?.map(renews => ({assistant, scope: 'user', method: renews.method, renews})) ?? [];

  const actions = {
    connect: async (wanted: 'header' | 'bridge') => {
      if (!model.isSignedIn) return;
      const before = text();
      const connecting = run(() => write([{assistant, scope: 'user', method: wanted}]));
      if (theirsIn()) {
        await expect(connecting).rejects.toMatchObject({code: 'local-entry-exists'});
        expect(text()).toBe(before);
        return;
      }
      await connecting;
      method = wanted;
      change({isConnected: true, entries: model.entries.map(oursOf) as never});
    },
    login: async () => {
      access = fresh();
      await signIn();
      change({isSignedIn: true});
      await run(async () => {
        const targets = await renewals();
        if (targets.length > 0) await write(targets);
      });
      change({entries: renewed()});
    },
    logout: async () => {
      await run(async () => collect(signOut, {context: await saved(), assistants: allAssistants, place}, ports));
      endings += 1;
      change({isSignedIn: false});
    },
    fix: async () => {
      if (!model.isSignedIn) return;
      const now = await saved();
      const subject = {...context, platform: bundled, context: now} as unknown as Subject;
      const machine = {assistants: [assistant], place, own, version: '1'} as never;
      await run(() => collect(applyFix, {fix: 'reconnect', subject, machine}, ports));
      change({entries: renewed()});
    },
    disconnect: async () => {
      await run(async () =>
        collect(
          disconnectAssistants,
          {context: await saved(), assistants: allAssistants, place, chosen: () => true},
          ports,
        ),
      );
      const left = model.entries.map(entry => (entry.whose === 'ours' ? nobody : entry)) as never;
      change({isConnected: false, ...(model.isConnected ? {entries: left} : {})});
    },
    undo: async () => {
      const before = text();
      memory.begin();
      const undoing = collect(undoWrites, {which: 1, where: {assistants: allAssistants, place}}, ports);
      const done = await undoing.catch(() => undefined);
      const after = text();
      const [known] = (await saved()).entries ?? [];
      const isConnected = known !== undefined;
      if (known?.method === 'header' || known?.method === 'bridge') method = known.method;
      if (after === before) return change({isConnected});
      if (done?.result.files.some(({outcome}) => outcome === 'edited')) {
        // The file was edited since: undo removes our entries and keeps everything else.
        const left = model.entries.map(entry => (entry.whose === 'ours' ? nobody : entry)) as never;
        steps.pop();
        return change({isConnected, entries: left});
      }
      const index = steps.findLastIndex(step => bare(step.before) === bare(after));
      const step = steps[index] ?? expect.fail(`What undo wrote was never there:\n${after}`);
      expect(steps.slice(index).some(one => bare(one.after) === bare(before))).toBe(true);
      // The bytes are the same, unless a sign-out came in between.
      if (step.endings === endings) expect(after ?? '').toBe(step.before ?? '');
      steps.splice(index);
      change({...step.model, isSignedIn: model.isSignedIn, isConnected});
    },
    uninstall: async () => {
      memory.begin();
      await collect(uninstall, {assistants: allAssistants, place, portsFor: async () => ports}, ports);
      const left = model.entries.map(entry => (entry.whose === 'ours' ? nobody : entry)) as never;
      change({isConnected: false, isSignedIn: false, entries: left});
      endings += 1;
      steps.length = 0;
      await ports.config.saveContext(context);
      await ports.journal.forget((await ports.journal.list())[0] ?? expect.fail());
    },
    other: async (number: number) => {
      const value = assistant.entry.command({
        name: `p${number}`,
        scope: 'user',
        system: 'linux',
        command: `mine-${number}`,
        args: [],
      });
      edit(editor.set(text() ?? '', {[`p${number}`]: value}, path));
      change({others: {...model.others, [`p${number}`]: value}});
    },
    comment: async (number: number) => {
      const comment = `${kind.comment} said ${number}`;
      edit(`${comment}\n${text()?.trim() ? text() : kind.comment === '//' ? '{}\n' : ''}`);
      change({comments: [...model.comments, comment]});
    },
    member: async (index: 0 | 1, number: number) => {
      const entry = model.entries[index];
      const name = names[index] ?? '';
      if (entry.whose !== 'ours') return;
      const value = parse(kind.id, text() ?? '')[name] as object;
      edit(editor.set(text() ?? '', {[name]: {...value, [`x-${number}`]: 'mine'}}, path));
      const members = {...entry.members, [`x-${number}`]: 'mine'};
      change({entries: model.entries.with(index, {...entry, members}) as never});
    },
    takeOver: async (index: 0 | 1, number: number) => {
      const name = names[index] ?? '';
      const at = {
        name,
        scope: 'user',
        system: 'linux',
        url: `https://mine-${number}/mcp`,
        authorization: `Bearer mine-${number}`,
      } as const;
      const value = JSON.parse(JSON.stringify(assistant.entry.header?.(at)));
      edit(editor.set(text() ?? '', {[name]: value}, path));
      change({entries: model.entries.with(index, {whose: 'theirs', value}) as never});
    },
    /** Writes the person's own token into an entry that leads to our address. */
    ownToken: async (index: 0 | 1, number: number) => {
      const name = names[index] ?? '';
      const present = parse(kind.id, text() ?? '')[name];
      const connection = assistant.entry.read(present);
      if (model.entries[index].whose !== 'ours' || connection?.kind !== 'header') return;
      const at = {name, scope: 'user', system: 'linux', url: connection.url} as const;
      const value = {
        ...(present as object),
        ...JSON.parse(JSON.stringify(assistant.entry.header?.({...at, authorization: `Bearer mine-${number}`}))),
      };
      edit(editor.set(text() ?? '', {[name]: value}, path));
      change({entries: model.entries.with(index, {whose: 'theirs', value}) as never});
    },
    remove: async (index: 0 | 1) => {
      const now = text();
      if (model.entries[index].whose === 'nobody' || now === undefined) return;
      edit(editor.remove(now, [names[index] ?? ''], path));
      change({entries: model.entries.with(index, nobody) as never});
    },
  };
  return {actions, check};
};

type Actions = Awaited<ReturnType<typeof scene>>['actions'];
type Action = {readonly [A in keyof Actions]: readonly [A, ...Parameters<Actions[A]>]}[keyof Actions];

const number = fc.integer({min: 1, max: 99});
const index = fc.constantFrom(0 as const, 1 as const);

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(fc.constant('connect' as const), fc.constantFrom('header' as const, 'bridge' as const)),
  },
  {weight: 2, arbitrary: fc.constant(['login'] as const)},
  {weight: 2, arbitrary: fc.constant(['logout'] as const)},
  {weight: 1, arbitrary: fc.constant(['fix'] as const)},
  {weight: 2, arbitrary: fc.constant(['disconnect'] as const)},
  {weight: 3, arbitrary: fc.constant(['undo'] as const)},
  {weight: 1, arbitrary: fc.constant(['uninstall'] as const)},
  {weight: 1, arbitrary: fc.tuple(fc.constant('other' as const), number)},
  {weight: 1, arbitrary: fc.tuple(fc.constant('comment' as const), number)},
  {weight: 2, arbitrary: fc.tuple(fc.constant('member' as const), index, number)},
  {weight: 2, arbitrary: fc.tuple(fc.constant('takeOver' as const), index, number)},
  {weight: 1, arbitrary: fc.tuple(fc.constant('ownToken' as const), index, number)},
  {weight: 1, arbitrary: fc.tuple(fc.constant('remove' as const), index)},
);

/** A file to begin with, and actions in any order. */
const sequence = fc.record({
  start: fc.constantFrom(...kinds.flatMap(kind => kind.texts.map(text => ({kind, text})))),
  actions: fc.array(action, {minLength: 1, maxLength: 12}),
});

describe('whatever is done in whichever order', () => {
  test('no byte of the person’s is lost, and what is ours is kept up', {timeout: 3_600_000}, async () => {
    const property = fc.asyncProperty(sequence, async ({start: {kind, text}, actions: list}) => {
      const {actions, check} = await scene(kind, text);
      for (const [name, ...args] of list) {
        await (actions[name] as (...args: readonly unknown[]) => Promise<void>)(...args);
        check();
      }
    });
    await fc.assert(property, {...propertyRuns(200, 50_000), includeErrorInReport: true});
  });
});
