import {allAssistants} from '../assistants/catalogue/all.ts';
import type {CommandHandler} from '../command-line/command.ts';
import {portsTo} from '../command-line/network-flags.ts';
import {confirm} from '../command-line/output/confirm.ts';
import {writingRun} from '../command-line/output/writing-run.ts';
import {portsOf} from '../command-line/ports-of.ts';
import {readPlace} from '../command-line/read-place.ts';
import type {Context} from '../domain/context.ts';
import {sayTaken} from '../flows/sign-in/give-up-account.ts';
import {IF_ONLY_COPY} from '../flows/sign-out.ts';
import {planUninstall, type Uninstalled, type UninstallPlan, uninstall} from '../flows/uninstall.ts';
import {SETUP} from '../setup-command.ts';
import {shortPath} from '../store/own-paths.ts';
import {duration} from '../text.ts';

/** `setup uninstall`: says what it removes and, if the person agrees, removes entries, sign-ins and its own files. */
export const runUninstall: CommandHandler = async invocation => {
  const {flags, env, terminal, signal} = invocation;
  const ports = portsOf(invocation);
  const place = readPlace(env);
  const plan = await planUninstall(allAssistants, ports);
  if (plan.contexts.length === 0 && plan.own.length === 0) {
    if (flags.json) terminal.stdout.writeJson({roles: [], signedOut: [], files: [], left: []});
    else terminal.stdout.tell('There is nothing to remove.\n');
    return;
  }
  if (!flags.json) terminal.stdout.tell(planned(plan, place.home));
  if (!flags.yes) await confirm('Remove all of this?', {command: `${SETUP} uninstall --yes`}, invocation);
  const portsFor = (context: Context) => portsTo(context, invocation, ports);
  const done = await uninstall({assistants: allAssistants, place, portsFor}, writingRun(ports, signal, terminal));
  if (flags.json) {
    const signedOut = done.signedOut.map(({goodUntil, ...one}) => ({
      ...one,
      ...(goodUntil === undefined ? {} : {goodUntil: new Date(goodUntil).toISOString()}),
    }));
    terminal.stdout.writeJson({...done, signedOut});
  } else terminal.stdout.tell(textOf(done, place.home, ports.clock.now()));
};

const planned = ({contexts, unusedClients, files, secretsIn, own}: UninstallPlan, home: string): string => {
  const short = (path: string) => shortPath(path, home);
  const known = contexts.flatMap(({name, entries: all, cli}) => [
    ...all.map(({assistant, path}) => `${assistant}: the entries of ${name} in ${short(path)}`),
    ...(cli === undefined ? [] : [`the platform’s CLI: ${name} in ${short(cli)}`]),
  ]);
  const entries = [...known, ...files.map(path => `${short(path)}, which an earlier run wrote`)];
  const where = secretsIn === 'file' ? '' : `, with its secrets in ${secretsIn}`;
  const signIns = contexts.flatMap(({name, isSignedIn, secretOf, clientOfAssistants: theirs}) => [
    ...(isSignedIn
      ? [`${name}${where}`, ...(secretOf === undefined ? [] : [`the secret of ${secretOf}: ${IF_ONLY_COPY}`])]
      : []),
    ...(theirs === undefined
      ? []
      : [`the secret of ${theirs}, the client of your assistants; the client itself stays at the identity provider`]),
  ]);
  const secrets = unusedClients.map(id => `the secret of ${id}: ${IF_ONLY_COPY}`);
  const roles = contexts.flatMap(({role}) => (role ? [`${role.bindings.join(', ')} ${role.place}`] : []));
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? '' : `${title}\n${lines.map(line => `  ${line}\n`).join('')}\n`;
  return [
    'This removes everything that platform-setup wrote on this machine.\n\n',
    section('Sign-ins, revoked if the identity provider can do that:', signIns),
    section('Secrets of MCP clients that no sign-in uses:', secrets),
    section('Role bindings that setup created on the platform:', roles),
    section('Entries. Files that have not changed since become what they were before:', entries),
    section('Its own files and directories:', own.map(short)),
    'You cannot undo this.\n',
  ].join('');
};

const textOf = ({roles, signedOut, files, left}: Uninstalled, home: string, now: number): string => {
  const lines = [
    ...roles.map(sayTaken),
    ...signedOut.map(({context, revocation, goodUntil = 0}) => {
      const stays = goodUntil > now ? ` Its refresh token stays valid for ${duration(goodUntil - now)}.` : '';
      return `Signed out of ${context}.${revocation === 'revoked' ? ' The identity provider revoked it.' : stays}`;
    }),
    ...files.map(({path, outcome}) => `${shortPath(path, home)}: ${words[outcome]}`),
    ...left.map(path => `${shortPath(path, home)}: stays, because it could not be removed or is not this program’s`),
    'platform-setup is removed from this machine. Restart assistants that are running.',
  ];
  return `${lines.join('\n')}\n`;
};

const words: Readonly<Record<Uninstalled['files'][number]['outcome'], string>> = {
  restored: 'restored',
  removed: 'removed, because it did not exist before or was empty',
  edited: 'its entries were removed; other changes since are kept',
};
