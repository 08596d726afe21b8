import {once} from 'node:events';
import type {CommandHandler, Invocation} from '../command-line/command.ts';
import {widthOf} from '../command-line/output/format-table.ts';
import {portsOf} from '../command-line/ports-of.ts';
import {describeSandbox, trustBy} from '../command-line/sandbox/describe-sandbox.ts';
import {canFix, faultsIn, listenForFaultKeys} from '../command-line/sandbox/sandbox-faults.ts';
import {createAuthorityFile, layoutIn, sandboxChoices, typedFlags} from '../command-line/sandbox/sandbox-options.ts';
import type {Furnishing} from '../command-line/sandbox/start-sandbox.ts';
import {SetupError, toSetupError} from '../errors/errors.ts';
import {quietRun} from '../flows/flow.ts';
import {findPlatform} from '../platform/platforms.ts';
import {describeHolder, findPortHolder} from '../ports/browser/port-holder.ts';
import {limits, readRegular, whyUnread} from '../ports/files/regular-file.ts';
import {createProcesses, isForeground} from '../ports/processes/processes.ts';
import {shellOf} from '../ports/processes/shell.ts';
import type {SandboxCompany} from '../sandbox/platform-kinds.ts';
import type {Sandbox} from '../sandbox/sandbox.ts';
import {version} from '../version.ts';

/** `setup sandbox`: runs the platform on this machine until Ctrl-C. */
export const runSandbox: CommandHandler = async invocation => {
  const {env, terminal, signal} = invocation;
  const flags = typedFlags(invocation);
  const {startSandbox} = await import('../sandbox/sandbox.ts');
  const layout = layoutIn(flags.layout);
  const port = portIn(flags.port, '--port');
  const observerPort = portIn(flags['observer-port'], '--observer-port');
  const values = flags.values === undefined ? undefined : await readValues(flags.values);
  const wanted = await faultsIn(flags.fault);
  const choices = sandboxChoices(flags);
  const company = await companyOf(flags.company, invocation);
  const platform = company?.platform ?? findPlatform(choices.platform ?? 'bundled');
  const options = {
    ...choices,
    ...(company ? {company} : {}),
    layout,
    baseDomain: flags['base-domain'] ?? platform.localBaseDomain,
    ...(port === undefined ? {} : {port}),
    ...(observerPort === undefined ? {} : {observerPort}),
    ...(values === undefined ? {} : {values}),
    faults: wanted.names,
    ...(flags['redirect-uri'] === undefined ? {} : {redirectUri: flags['redirect-uri']}),
  };
  const redirectUri = flags['redirect-uri'] ?? platform.callbackUrl;
  const callbackPort = URL.canParse(redirectUri) ? Number(new URL(redirectUri).port) : undefined;
  const sandbox = await startSandbox(options).catch(async error => {
    throw await explain(error, env, callbackPort);
  });
  let authority: {readonly path: string; remove(): Promise<void>} | undefined;
  let stopMending = () => {};
  try {
    const {ready} = sandbox;
    furnishOnRequest(sandbox);
    const {noBrowser} = wanted;
    // There may be no certificate to trust until an expired one was renewed.
    const trust = async () => {
      const {authority: certificate} = sandbox.ready;
      if (certificate !== undefined) authority ??= await createAuthorityFile(certificate);
      return authority && trustBy(authority.path, shellOf(env, process.platform));
    };
    const command = await trust();
    if (flags.json) {
      terminal.stdout.writeJson({...ready, authorityFile: authority?.path});
    } else {
      const typing = terminal.stdin.isTTY && (await isForeground(createProcesses(env)));
      const mendable = typing && canFix(ready.faults);
      const bindable = typing && ready.authorization;
      const explainHere = async (error: unknown) => toSetupError(await explain(error, env, callbackPort)).message;
      terminal.stdout.write(
        describeSandbox(ready, {
          wanted,
          platform,
          mendable,
          bindable,
          shell: shellOf(env, process.platform),
          width: widthOf(terminal),
          ...(flags['redirect-uri'] === undefined ? {} : {redirectUri: flags['redirect-uri']}),
          ...(command === undefined ? {} : {trust: command}),
        }),
      );
      if (typing) stopMending = listenForFaultKeys({sandbox, terminal, trust, noBrowser, explain: explainHere});
    }
    await untilTold(signal);
  } finally {
    stopMending();
    await sandbox.close();
    await authority?.remove();
  }
};

const portIn = (text: string | undefined, flag: string): number | undefined => {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new SetupError('input-invalid', `${flag} takes a number from 0 to 65535, not ${text}.`);
};

/** Returns the platform of a company file. @throws SetupError `input-company-file-…` */
const companyOf = async (source: string | undefined, invocation: Invocation): Promise<SandboxCompany | undefined> => {
  if (source === undefined) return undefined;
  const {judgeCompanyFile} = await import('../flows/deployment/find-company-file.ts');
  const {faultError} = await import('../flows/deployment/find-company-file.ts');
  const ports = portsOf(invocation);
  const judged = await judgeCompanyFile({source, version}, quietRun(ports, invocation.signal));
  if ('faults' in judged) throw faultError(judged.faults, source);
  return {platform: judged.company.platform, file: judged.json};
};

const readValues = async (path: string): Promise<string> => {
  try {
    return (await readRegular(path, limits.given)).bytes.toString('utf8');
  } catch (error) {
    throw new SetupError('input-invalid', `The values file ${path} cannot be read: ${whyUnread(error)}.`, {
      cause: error,
    });
  }
};

/** @param callbackPort the port that the browser returns to, which the fault `port-taken` holds */
const explain = async (error: unknown, env: Invocation['env'], callbackPort: number | undefined): Promise<unknown> => {
  // The sandbox is a bundle of its own, so its errors are recognised by name.
  if (error instanceof Error && error.name === 'SandboxInputError') {
    return new SetupError('input-invalid', error.message, {cause: error});
  }
  if (!(error instanceof Error) || !('code' in error)) return error;
  const port = 'port' in error ? Number(error.port) : 0;
  if (error.code === 'EACCES') {
    return new SetupError('local-port-taken', `You are not allowed to use port ${port} of 127.0.0.1.`, {cause: error});
  }
  if (error.code !== 'EADDRINUSE') return error;
  const holder = await findPortHolder(port, createProcesses(env));
  const by = describeHolder(holder);
  return new SetupError('local-port-taken', `Port ${port} of 127.0.0.1 is in use by ${by}.`, {
    cause: error,
    remedy:
      port === callbackPort
        ? 'The fault port-taken needs this port. If a sign-in is waiting there, finish it; otherwise stop that program.'
        : 'Stop that program, or choose other ports with --port and --observer-port. Port 0 takes a free one.',
  });
};

/** Furnishes the sandbox as the program that has started it asks, and tells that program when this is done. */
const furnishOnRequest = (sandbox: Sandbox) => {
  process.on('message', ({projects = [], bindings = []}: Partial<Furnishing>) => {
    sandbox.addProjects(projects);
    for (const binding of bindings) sandbox.bind(binding);
    process.send?.('furnished');
  });
};

/** Resolves when the signal aborts or the parent process ends: a sandbox must not outlive its demonstration. */
const untilTold = async (signal: AbortSignal) => {
  // `connected` is undefined without a parent, and false if the parent left while the sandbox was starting.
  const parentGone =
    process.connected === undefined ? new Promise(() => {}) : process.connected && once(process, 'disconnect');
  const aborted = new Promise(resolve => signal.addEventListener('abort', resolve, {once: true}));
  if (!signal.aborted) await Promise.race([parentGone, aborted]);
};
