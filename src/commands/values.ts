import type {CommandHandler} from '../command-line/command.ts';
import {portsOf} from '../command-line/ports-of.ts';
import {kindAt, providerSubject} from '../command-line/provider/provider-subject.ts';
import {externalClientRequirements, externalClientValues} from '../platform/role-binding.ts';
import {SETUP} from '../setup-command.ts';
import {withOffline} from '../state/derived/client-guide.ts';

/**
 * `setup values`: prints the control plane values that register a CLI client to standard output, and the requirements
 * for that client to standard error. It includes the scopes that the identity provider needs, if that is known.
 */
export const runValues: CommandHandler = async invocation => {
  const {flags, terminal, signal} = invocation;
  const {ports, platform, issuer, clientId, wanted} = await providerSubject(invocation, portsOf(invocation));
  const provider = issuer === undefined ? undefined : await kindAt(issuer, ports, signal);
  const client = {clientId, scopes: withOffline(wanted.scopes, provider?.refreshToken.scope)};
  if (flags.json) {
    terminal.stdout.writeJson({name: platform.cliClient.name, ...client});
    return;
  }
  if (!flags.quiet) {
    const audience = wanted.audience ?? (wanted.resource === 'none' ? undefined : wanted.resource);
    const needs = [
      ...externalClientRequirements(platform),
      ...(audience === undefined ? [] : [`access tokens for the audience ${audience}`]),
    ];
    const lines = needs.map(line => `  ${line}\n`).join('');
    const more = provider ? `${SETUP} provider guide ${provider.id} shows where.\n` : '';
    terminal.stderr.write(`At your identity provider, ${clientId} needs:\n${lines}${more}\n`);
  }
  terminal.stdout.write(externalClientValues(platform, client));
};
