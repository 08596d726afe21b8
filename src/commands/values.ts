import type {CommandHandler} from '../command-line/command.ts';
import {findPlatform} from '../platform/platforms.ts';
import {externalClientRequirements, externalClientValues} from '../platform/values.ts';

/** `setup values`: the control plane values that register a CLI client, on standard output; what it has to be, beside. */
export const runValues: CommandHandler = async ({flags, terminal, typed}) => {
  const platform = findPlatform(flags.platform ?? 'bundled');
  const {clientId, scopes} = platform.cliClient;
  // The environment's client ID is a service account's.
  const named = typed.has('client-id') ? flags['client-id'] : undefined;
  const client = {clientId: named ?? clientId, scopes};
  if (flags.json) {
    terminal.stdout.write(`${JSON.stringify({name: platform.cliClient.name, ...client})}\n`);
    return;
  }
  if (!flags.quiet) {
    const needs = externalClientRequirements(platform)
      .map(line => `  ${line}\n`)
      .join('');
    terminal.stderr.write(`At your identity provider, ${client.clientId} has to be or have:\n${needs}\n`);
  }
  terminal.stdout.write(externalClientValues(platform, client));
};
