import type {FlagName} from './flags.ts';

/** A row of the first screen of help: one command, or several that share their first word. */
type Row = {
  /** The commands by their words, such as `mcp tools`; empty for the wizard. */
  readonly commands: readonly string[];
  /** What they are for, so short that a row fits into 80 columns. */
  readonly says: string;
};

/** A group of commands. */
type CommandTopic = {
  readonly title: string;
  readonly rows: readonly Row[];
  /** Commands that only the list of all commands has. */
  readonly others?: readonly string[];
};

/** The commands by what they are for. Help, completion and the manual page keep this order. */
export const commandTopics: readonly CommandTopic[] = [
  {
    title: 'Start here',
    rows: [
      {commands: [''], says: 'Set up, step by step'},
      {commands: ['demo'], says: 'Try it with a sandbox platform'},
      {commands: ['status'], says: 'Show who is signed in, and for how long'},
    ],
  },
  {
    title: 'Assistants',
    rows: [
      {commands: ['mcp connect'], says: 'Add the MCP servers to your assistants'},
      {commands: ['mcp list'], says: 'List the entries in your assistants'},
      {commands: ['mcp disconnect'], says: 'Remove the entries'},
      {commands: ['mcp tools', 'mcp call', 'mcp serve'], says: 'List tools, call one, or run the bridge'},
    ],
  },
  {
    title: 'Sign-in',
    rows: [
      {commands: ['login'], says: 'Sign in, and update your assistants'},
      {commands: ['logout'], says: 'Sign out, and remove the secrets'},
      {commands: ['token'], says: 'Print a valid access token'},
      {commands: ['context list', 'context use', 'context remove'], says: 'List, switch or forget deployments'},
    ],
    others: ['component list'],
  },
  {
    title: 'Something is wrong',
    rows: [
      {commands: ['doctor'], says: 'Find out what’s wrong and how to fix it'},
      {commands: ['explain'], says: 'Explain an error code'},
      {commands: ['undo'], says: 'Revert what was written last'},
    ],
  },
  {
    title: 'For administrators',
    rows: [
      {commands: ['platform init', 'platform check'], says: 'Write a company file, or check one'},
      {commands: ['provider guide', 'provider check'], says: 'Show what the provider needs, or check it'},
    ],
    others: ['org export', 'values', 'sandbox'],
  },
  {
    title: 'This program',
    rows: [
      {commands: ['upgrade'], says: 'Fetch the newest version'},
      {commands: ['uninstall'], says: 'Remove everything that was written'},
    ],
    others: ['completion', 'help', 'version'],
  },
];

/** The flags that people use first, some with a shorter name for the value. */
export const firstFlags: readonly (readonly [name: FlagName, value?: string])[] = [
  ['base-domain'],
  ['context'],
  ['sign-in', 'WAY'],
  ['client-id'],
  ['client-secret-stdin'],
  ['assistants', 'NAME,…'],
  ['project'],
  ['yes'],
  ['json'],
  ['help'],
];

/** The flags of the wizard by what they are about. */
export const flagTopics: readonly {readonly title: string; readonly flags: readonly FlagName[]}[] = [
  {
    title: 'The platform',
    flags: [
      ...(['base-domain', 'context', 'layout', 'platform', 'control-plane-url'] as const),
      ...(['observer-url', 'auth-url', 'issuer'] as const),
    ],
  },
  {
    title: 'How you sign in',
    flags: [
      ...(['sign-in', 'no-browser', 'device', 'client-id', 'client-secret-stdin', 'client-secret'] as const),
      ...([
        'redirect-uri',
        'admin-username',
        'admin-password-stdin',
        'application-id',
        'reset-secret',
        'role',
      ] as const),
    ],
  },
  {
    title: 'What the token is for',
    flags: ['scopes', 'audience', 'resource', 'acr-values', 'max-age', 'assume-pkce'],
  },
  {
    title: 'Assistants and their entries',
    flags: [
      ...(['assistants', 'assistants-as', 'project', 'scope', 'method', 'tools', 'servers'] as const),
      ...(['oauth-client-id', 'shape'] as const),
      ...(['replace', 'overwrite-read-only', 'in-git', 'cli-config'] as const),
    ],
  },
  {title: 'The network', flags: ['proxy', 'ca-file', 'client-cert', 'client-key', 'allow-http']},
  {
    title: 'How it runs',
    flags: [
      ...(['yes', 'json', 'quiet', 'plain', 'accessible', 'no-color', 'debug', 'setup-home', 'help'] as const),
      'version',
    ],
  },
];

/** Sorts commands by their topics. */
export const byTopic = <C extends {readonly words: readonly string[]}>(commands: readonly C[]): readonly C[] => {
  const order = commandTopics.flatMap(({rows, others = []}) => [...rows.flatMap(row => row.commands), ...others]);
  const placeOf = ({words}: C) => order.indexOf(words.join(' '));
  return commands.toSorted((one, other) => placeOf(one) - placeOf(other));
};
