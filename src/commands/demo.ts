import {rmSync} from 'node:fs';
import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {allAssistants} from '../assistants/catalogue/all.ts';
import type {CommandHandler} from '../command-line/command.ts';
import {ownCommand} from '../command-line/find-own-command.ts';
import {createEventWriter} from '../command-line/output/event-writer.ts';
import {portsOf} from '../command-line/ports-of.ts';
import {readPlace} from '../command-line/read-place.ts';
import {faultsIn} from '../command-line/sandbox/sandbox-faults.ts';
import {layoutIn, typedFlags} from '../command-line/sandbox/sandbox-options.ts';
import {type Furnishing, startSandboxProcess} from '../command-line/sandbox/start-sandbox.ts';
import {runHeadless} from '../command-line/wizard/headless.ts';
import {loadRenderer, runWizard} from '../command-line/wizard/run-wizard.ts';
import {Secret} from '../domain/secret.ts';
import {type ClientMethod, secretMethodOf} from '../domain/token-request.ts';
import {SetupError} from '../errors/errors.ts';
import {bundled} from '../platform/platforms.ts';
import {freePort} from '../ports/browser/loopback-server.ts';
import {codeOf} from '../ports/files/error-code.ts';
import type {Ports} from '../ports/ports.ts';
import type {FaultName} from '../sandbox/faults.ts';
import type {SandboxReady} from '../sandbox/sandbox.ts';
import {SETUP} from '../setup-command.ts';
import {type Answers, initialState, type Settings} from '../state/model.ts';

/**
 * `setup demo`: runs the wizard against a sandbox started for it, in a home and a project directory of its own. They
 * are removed at the end, unless `--keep` keeps them.
 */
export const runDemo: CommandHandler = async invocation => {
  const {flags, terminal, env, signal, program} = invocation;
  const interactive = terminal.interactive && !flags.yes && !flags.json;
  // The wizard's code is read from disk while the sandbox starts.
  if (interactive) void loadRenderer(invocation);
  const {names, noBrowser} = await faultsIn(flags.fault);
  const isOfBrowser = noBrowser || names.some(name => ofBrowser.has(name));
  const fault = flags.fault === undefined ? [] : ['--fault', flags.fault];
  const redirectUri = await freeCallback();
  const release = flags.release ?? NEWEST;
  const sandboxFlags = [
    '--release',
    release,
    '--layout',
    layoutIn(typedFlags(invocation).layout),
    '--redirect-uri',
    redirectUri,
    ...fault,
  ];
  const directory = await temporaryDirectory();
  // If the terminal is closed or the output is no longer read, the process exits at once and cannot wait for a removal.
  if (!flags.keep) process.once('exit', () => rmSync(directory, {recursive: true, force: true}));
  const sandbox = await startSandboxProcess(program, {flags: sandboxFlags, furnishing: sample}, env, signal).catch(
    async error => {
      await rm(directory, {recursive: true, force: true});
      throw error;
    },
  );
  const [home, project] = [join(directory, 'home'), join(directory, 'project')];
  const moved = {...invocation, env: {...env, SETUP_HOME: home}};
  const ports = noBrowser ? withoutBrowser(portsOf(moved)) : portsOf(moved);
  try {
    await Promise.all([mkdir(home, {mode: 0o700}), mkdir(project, {mode: 0o755})]);
    await putSamples(home);
    const initial = initialState(
      {
        ...settingsFor(sandbox.ready, {directory, release, ...(flags.keep ? {isKept: true} : {})}, project, ports),
        ...{own: ownCommand(moved), redirectUri},
        // The way of signing in that shows the fault is chosen at first, so that Enter alone leads to it.
        ...(isOfBrowser ? {suggested: 'browser' as const} : {}),
      },
      answersFor(sandbox.ready),
    );

    if (interactive) {
      await runWizard(initial, ports, invocation);
      return;
    }
    const {json = false, quiet = false} = flags;
    const writer = createEventWriter(terminal, {json, quiet, home: ''});
    if (json) terminal.stdout.writeJson({type: 'demo-started', home, project});
    else if (!quiet) {
      const end = flags.keep ? '' : ' They are removed at the end, unless you pass --keep.';
      terminal.stdout.write(`This demonstration uses a sandbox. Its files are in ${directory}.${end}\n`);
    }
    writer.done(await runHeadless(initial, ports, {yes: true, signal, tell: writer.event}), ports.clock.now());
    if (!json && !quiet) terminal.stdout.write(`For real: ${SETUP}\n`);
  } finally {
    await sandbox.stop();
    // The directory contains credentials of a platform that no longer exists.
    if (!flags.keep) await rm(directory, {recursive: true, force: true});
    else if (interactive) terminal.stdout.write(`The files of the demonstration are in ${directory}.\n`);
  }
};

/** The newest release of the platform that a sandbox can simulate. */
const NEWEST = '1.2';

/** The projects of a developer, in which one component fails, and roles for the accounts that the demonstration uses. */
const sample: Furnishing = {
  projects: [
    {name: 'shop', components: ['checkout', 'cart', 'catalog', 'payments'], failing: 1},
    {name: 'website', components: ['pages', 'search']},
  ],
  bindings: [
    {claim: 'sub', value: 'mcp_client'},
    {claim: 'groups', value: 'developers'},
  ],
};

/** The faults that only a sign-in through a browser meets. */
const ofBrowser: ReadonlySet<FaultName> = new Set([
  ...(['no-pkce', 'unknown-client', 'missing-redirect', 'no-refresh', 'refresh-refused', 'port-taken'] as const),
]);

/** @throws SetupError `local-write-failed` */
const temporaryDirectory = async (): Promise<string> => {
  const place = tmpdir();
  try {
    return await mkdtemp(join(place, 'platform-setup-demo-'));
  } catch (cause) {
    const reason = codeOf(cause) ?? cause;
    throw new SetupError(
      'local-write-failed',
      `No directory for the demonstration could be created in ${place} (${reason}).`,
      {
        cause,
        remedy: 'Set TMPDIR to a directory that you can write to.',
        about: {path: place},
      },
    );
  }
};

/** Returns a redirect URI with a free port: the platform's own port may be taken, and a sandbox can use any. */
const freeCallback = async (): Promise<string> => {
  const url = new URL(bundled.callbackUrl);
  url.port = String(await freePort());
  return url.href;
};

/** Files of assistants that were used before: the demonstration adds its entries to them, and keeps what is there. */
const samples = {
  '.claude.json': '{\n  "numStartups": 12,\n  "mcpServers": {}\n}\n',
  '.cursor/mcp.json': '{\n  "mcpServers": {\n    "notes": {"command": "notes-mcp", "args": []}\n  }\n}\n',
} as const;

const putSamples = async (home: string) => {
  for (const [path, text] of Object.entries(samples)) {
    await mkdir(dirname(join(home, path)), {recursive: true, mode: 0o755});
    await writeFile(join(home, path), text, {mode: 0o644});
  }
};

/** Simulates the only fault that the sandbox cannot cause: a browser that does not open. */
const withoutBrowser = (ports: Ports): Ports => ({
  ...ports,
  browser: {obstacle: () => undefined, open: async () => false},
});

const settingsFor = (
  {admin, clients, people}: SandboxReady,
  demo: NonNullable<Settings['demo']>,
  project: string,
  {browser}: Ports,
): Omit<Settings, 'own'> => {
  const obstacle = browser.obstacle();
  const client = (method: ClientMethod) => {
    const found = clients.find(one => one.tokenEndpointAuthMethod === secretMethodOf(method));
    if (!found?.clientSecret) throw new Error(`The sandbox has no client for ${method}.`);
    return {clientId: found.clientId, clientSecret: new Secret(found.clientSecret), clientEntered: true} as const;
  };
  const adminPassword = new Secret(admin.password);
  const person = people.find(({username}) => username !== admin.username) ?? people[0];
  return {
    platform: bundled,
    place: readPlace({HOME: join(demo.directory, 'home')}, project),
    assistants: allAssistants,
    layout: 'auto',
    openBrowser: obstacle === undefined,
    ...(obstacle ? {obstacle} : {}),
    presets: {
      'create-mcp-client': {adminUsername: admin.username, adminPassword, adminEntered: true},
      'mcp-client': client('mcp-client'),
      'service-account': client('service-account'),
    },
    suggested: 'create-mcp-client',
    demo: {...demo, ...(person ? {account: {username: person.username, password: person.password}} : {})},
  };
};

/** Returns the sandbox's addresses. They cannot be derived from its base domain, because its ports are random. */
const answersFor = ({baseDomain, controlPlaneUrl, observerUrl, authUrl}: SandboxReady): Answers => ({
  baseDomain,
  addresses: {controlPlaneUrl, observerUrl, authUrl},
});
