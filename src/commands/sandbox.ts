import {once} from 'node:events';
import {readFile} from 'node:fs/promises';
import {cancelled, SetupError} from '../errors.ts';
import {bundled} from '../platform/bundled.ts';
import type {Layout} from '../platform/platform.ts';
import {createProcesses} from '../ports/node-processes.ts';
import {findPortHolder} from '../ports/port-holder.ts';
import type {SandboxReady} from '../sandbox/sandbox.ts';
import type {Invocation, Run} from './command.ts';

/** `setup sandbox`: the platform on this machine, until Ctrl-C. */
export const runSandbox: Run = async invocation => {
  const {flags, env, terminal, signal} = invocation;
  const {startSandbox} = await import('../sandbox/sandbox.ts');
  const layout = layoutIn(flags.layout);
  const port = portIn(flags.port, '--port');
  const observerPort = portIn(flags['observer-port'], '--observer-port');
  const values = flags.values === undefined ? undefined : await readValues(flags.values);
  const options = {
    layout,
    baseDomain: flags['base-domain'] ?? bundled.localBaseDomain,
    ...(port === undefined ? {} : {port}),
    ...(observerPort === undefined ? {} : {observerPort}),
    ...(values === undefined ? {} : {values}),
  };
  const sandbox = await startSandbox(options).catch(async error => {
    throw await portTaken(error, env);
  });
  try {
    terminal.stdout.write(flags.json ? `${JSON.stringify(sandbox.ready)}\n` : describe(sandbox.ready));
    await untilTold(signal);
  } finally {
    await sandbox.close();
  }
  throw cancelled();
};

export const layoutIn = (text: string | undefined): Layout => {
  if (text === undefined || text === 'single' || text === 'auto') return 'single';
  if (text === 'multi') return 'multi';
  throw new SetupError('input-invalid', `--layout takes single or multi, not ${text}.`);
};

const portIn = (text: string | undefined, flag: string): number | undefined => {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new SetupError('input-invalid', `${flag} takes a number from 0 to 65535, not ${text}.`);
};

const readValues = async (path: string): Promise<string> => {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new SetupError('input-invalid', `The values file ${path} cannot be read.`, {cause: error});
  }
};

const portTaken = async (error: unknown, env: Invocation['env']): Promise<unknown> => {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'EADDRINUSE') return error;
  const port = 'port' in error ? Number(error.port) : 0;
  const holder = await findPortHolder(port, createProcesses(env));
  const by = holder ? `${holder.name} (process ${holder.pid})` : 'another program';
  return new SetupError('local-port-taken', `Port ${port} of 127.0.0.1 is taken by ${by}.`, {cause: error});
};

/** Ends with the signal, and with the program that started it: a sandbox must not outlive its demonstration. */
const untilTold = async (signal: AbortSignal) => {
  const parentGone = process.channel ? once(process, 'disconnect') : new Promise(() => {});
  const told = new Promise(resolve => signal.addEventListener('abort', resolve, {once: true}));
  if (!signal.aborted) await Promise.race([parentGone, told]);
};

const describe = (ready: SandboxReady): string => {
  const {layout, controlPlaneUrl, observerUrl, authUrl, admin, applicationId, clients, baseDomain} = ready;
  const rows: (readonly [string, string])[] = [
    ['Control plane', controlPlaneUrl],
    ['Observer', observerUrl],
    ['Identity provider', authUrl],
    ['Developer portal', `${authUrl}${bundled.paths.developerPortal}`],
    ['Administrator', `${admin.username} / ${admin.password}`],
    ['Sample App', applicationId],
    ...clients.map(
      ({clientId, clientSecret, tokenEndpointAuthMethod}) =>
        [clientId, `${tokenEndpointAuthMethod}${clientSecret ? `, secret ${clientSecret}` : ''}`] as const,
    ),
  ];
  const lines = rows.map(([name, value]) => `  ${name.padEnd(20)}${value}`);
  return [
    '',
    `  Sandbox platform, ${layout}-cluster. Everything is in memory and gone when it ends.`,
    '',
    ...lines,
    '',
    `  In another terminal:  npx setup --base-domain ${new URL(controlPlaneUrl).host.replace(/^[^.]+\./, '') || baseDomain}`,
    '  Ctrl-C ends it.',
    '',
    '',
  ].join('\n');
};
