import type {CommandHandler, Invocation} from '../command-line/command.ts';
import {portsTo} from '../command-line/network-flags.ts';
import {portsOf} from '../command-line/ports-of.ts';
import {SetupError} from '../errors/errors.ts';
import {findNewest, findRegistry, runVersion} from '../flows/upgrade.ts';
import {isNewer} from '../platform/recognise.ts';
import type {Ports} from '../ports/ports.ts';
import {version} from '../version.ts';
import {connectAssistants} from './mcp/connect.ts';

/**
 * `setup upgrade`: fetches the newest version through npm and has that version renew every entry, so that assistants
 * start it from then on. With `--offline` the entries start the version that is running now. The exit code is that of
 * the version that renewed them.
 */
export const runUpgrade: CommandHandler = async invocation => {
  const {flags, terminal} = invocation;
  const ports = portsOf(invocation);
  if (flags.offline) {
    await renewEntries(ports, invocation);
    return 0;
  }
  const input = {node: process.execPath, signal: invocation.signal};
  const newest = await findNewest(input, ports);
  if (!isNewer(newest, version)) {
    if (!flags.json) terminal.stdout.write(`platform-setup ${version} is the newest version.\n`);
    await renewEntries(ports, invocation);
    return 0;
  }
  // Told before any of it runs, so that a person can see whose code it is, and stop.
  const registry = await findRegistry(input, ports);
  if (flags.json) terminal.stdout.writeJson({type: 'upgrade-started', from: version, to: newest, registry});
  else terminal.stdout.write(`Upgrading from platform-setup ${version} to ${newest}, from ${registry}…\n`);
  const words = [
    ...['upgrade', '--offline'],
    ...(flags.json ? ['--json'] : []),
    ...(flags['setup-home'] === undefined ? [] : ['--setup-home', flags['setup-home']]),
  ];
  const {code, stdout, stderr} = await runVersion(newest, words, input, ports);
  terminal.stdout.write(stdout);
  terminal.stderr.write(stderr);
  return code;
};

/** Renews one deployment after the other. An error with one does not keep the others from being renewed. */
const renewEntries = async (ports: Ports, invocation: Invocation): Promise<void> => {
  const {flags, terminal} = invocation;
  const {contexts} = await ports.config.read();
  const connected = contexts.filter(({entries = []}) => entries.length > 0);
  const failures: SetupError[] = [];
  for (const context of connected) {
    const {name} = context;
    const own = {...invocation, flags: {...flags, yes: true, context: name}};
    try {
      await connectAssistants(context, {invocation: own, ports: await portsTo(context, own, ports)});
    } catch (error) {
      if (!(error instanceof SetupError) || error.code === 'cancelled') throw error;
      failures.push(error);
      if (!flags.json) terminal.stderr.write(`The entries of ${name} stay as they are. ${error.message}\n`);
    }
  }
  if (failures[0]) throw failures[0];
  if (flags.json) {
    terminal.stdout.writeJson({type: 'done', version});
    return;
  }
  const effect =
    connected.length > 0 ? `Assistants start platform-setup ${version} now.` : 'No assistant is connected.';
  terminal.stdout.write(`${effect}\n`);
};
