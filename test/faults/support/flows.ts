import {SEAL} from '../../../src/mcp/client.ts';
import {developer, navigate, signInAt} from '../../support/browser.ts';
import type {Bench} from './bench.ts';
import {bridgeSession, seal} from './bridge-session.ts';
import {forgetProvider, type Machine} from './machine.ts';
import {type Running, type Said, startLine} from './run-line.ts';

/** The machine with which a flow begins: an empty one, that of a signed-in person, or a service account's. */
export type Whose = 'nobody' | 'person' | 'client';

export type Flow = {
  readonly whose: Whose;
  /** Flows of one lane run one after the other, because they need the same port. */
  readonly lane?: 'browser';
  readonly prepare?: (machine: Machine) => void;
  readonly run: (bench: Bench, machine: Machine) => Promise<Said>;
  /** True if it prints a token, which is then not a leak. */
  readonly printsToken?: true;
};

const words =
  (...line: readonly string[]) =>
  (_: Bench, {env}: Machine): Promise<Said> =>
    startLine([...line, '--json'], env).ended;

/** Runs a command line, and signs in at the address that it prints. */
const withBrowser = async (running: Running): Promise<Said> => {
  const url = await running.line(line => {
    const event: {type?: string; url?: string} = JSON.parse(line);
    return event.type === 'sign-in-waiting' ? event.url : undefined;
  });
  if (url !== undefined) {
    // After an error page the person returns and cancels.
    await signInAt(url, developer)
      .then(navigate)
      .catch(reason => running.abort(reason instanceof Error ? reason : new Error(String(reason))));
  }
  return running.ended;
};

export const setUpAsClient = ({flags, client}: Bench, {env, project}: Machine): Promise<Said> =>
  startLine(
    [
      ...['--yes', '--json', '--sign-in', 'service-account', '--client-id', client.clientId],
      ...['--assistants', 'generic', '--method', 'header', '--project', project, ...flags],
    ],
    {...env, CLI_CLIENT_SECRET: client.clientSecret},
  ).ended;

export const setUpAsPerson = ({flags, redirectUri}: Bench, {env, project}: Machine): Promise<Said> =>
  withBrowser(
    startLine(
      [
        ...['--yes', '--json', '--sign-in', 'browser', '--no-browser', '--redirect-uri', redirectUri],
        ...['--assistants', 'generic', '--method', 'header', '--project', project, ...flags],
      ],
      env,
    ),
  );

/** The flows of a person or a program with this product, each from its arguments to its exit code. */
export const flows = {
  setup: {whose: 'nobody', run: setUpAsClient},
  'browser sign-in': {whose: 'nobody', lane: 'browser', run: setUpAsPerson},
  login: {
    whose: 'person',
    lane: 'browser',
    run: (_, {env}) => withBrowser(startLine(['login', '--json', '--no-browser'], env)),
  },
  token: {whose: 'person', run: words('token'), printsToken: true},
  renewal: {
    whose: 'person',
    prepare: machine => {
      machine.store.expireAll();
      forgetProvider(machine);
    },
    run: words('token'),
    printsToken: true,
  },
  doctor: {whose: 'client', run: words('doctor')},
  'mcp tools': {whose: 'client', run: words('mcp', 'tools', 'control-plane')},
  'mcp call': {whose: 'client', run: words('mcp', 'call', 'control-plane', 'list_projects')},
  'mcp serve': {
    whose: 'client',
    run: (_, {env}) => bridgeSession(startLine(['mcp', 'serve', 'control-plane'], {...env, [SEAL]: seal})),
  },
  'component list': {whose: 'client', run: words('component', 'list')},
  status: {whose: 'person', run: words('status')},
  logout: {whose: 'person', run: words('logout')},
} as const satisfies Record<string, Flow>;

export type FlowName = keyof typeof flows;

export const flowNames = Object.keys(flows) as readonly FlowName[];
