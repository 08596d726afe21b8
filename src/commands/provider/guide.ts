import {allAssistants} from '../../assistants/catalogue/all.ts';
import type {CommandHandler} from '../../command-line/command.ts';
import {nearest} from '../../command-line/parse-flags.ts';
import {portsOf} from '../../command-line/ports-of.ts';
import {kindAt, type ProviderSubject, providerSubject} from '../../command-line/provider/provider-subject.ts';
import {addressIn} from '../../domain/mcp-servers.ts';
import {SetupError} from '../../errors/errors.ts';
import {phrase, setup} from '../../errors/remedy.ts';
import {savedEntriesOf} from '../../flows/saved-entries.ts';
import {allProviders, findProvider} from '../../identity-providers/catalogue.ts';
import {guideText} from '../../identity-providers/guide.ts';
import type {IdentityProvider} from '../../identity-providers/identity-provider.ts';
import {guideFor} from '../../state/derived/client-guide.ts';

/** `setup provider guide`: prints what to click and type at an identity provider, with this deployment's values. */
export const runProviderGuide: CommandHandler = async invocation => {
  const {flags, args, terminal, signal} = invocation;
  const [name] = args;
  const {ports, ...subject} = await providerSubject(invocation, portsOf(invocation));
  const provider =
    name === undefined
      ? subject.issuer === undefined
        ? undefined
        : await kindAt(subject.issuer, ports, signal)
      : await providerNamed(name);
  if (!provider) {
    throw new SetupError('input-required', 'No identity provider was named.', {
      remedy: phrase`Name one: ${setup('provider guide', 'NAME')}, of ${names}. Or name its issuer: --issuer URL.`,
    });
  }
  const guide = guideFor(provider, {...subject, assistants: allAssistants, servers: serversOfSubject(subject)});
  if (flags.json) terminal.stdout.writeJson({provider: provider.id, ...guide});
  else terminal.stdout.write(`${guideText(guide)}\n`);
};

/** Returns the servers’ addresses, including those of presets of their tools: a redirect URI may depend on them. */
const serversOfSubject = ({context, platform}: Pick<ProviderSubject, 'context' | 'platform'>): readonly string[] => {
  if (!context) return [];
  const choices = ['all' as const, ...(context.entries ?? []).flatMap(({tools}) => tools ?? [])];
  const entries = savedEntriesOf(context, platform);
  return [...new Set(entries.flatMap(entry => choices.map(choice => addressIn(entry, choice))))];
};

const names = allProviders.map(({id}) => id).join(', ');

const providerNamed = async (name: string): Promise<IdentityProvider> => {
  const found = findProvider(name);
  if (found) return found;
  const meant = await nearest(
    name.toLowerCase(),
    allProviders.map(({id}) => id),
  );
  throw new SetupError('input-invalid', `There is no guide for ${name}.`, {
    remedy: meant === undefined ? `There is one for each of ${names}.` : `Did you mean ${meant}?`,
  });
};
