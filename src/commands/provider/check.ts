import type {CommandHandler} from '../../command-line/command.ts';
import {describeOutcome, endWithFirst, exitCodeOf} from '../../command-line/output/describe-outcome.ts';
import {portsOf} from '../../command-line/ports-of.ts';
import {providerSubject} from '../../command-line/provider/provider-subject.ts';
import {readSecrets} from '../../command-line/read-secrets.ts';
import {summaryOf} from '../../domain/finding.ts';
import {SetupError} from '../../errors/errors.ts';
import {phrase, setup} from '../../errors/remedy.ts';
import {checkProvider} from '../../flows/check-provider.ts';
import {quietRun} from '../../flows/quiet-run.ts';

/**
 * `setup provider check`: tests what the platform needs from an identity provider, as far as that works without a
 * person. The exit code is that of the first failure's family.
 */
export const runProviderCheck: CommandHandler = async (invocation): Promise<number> => {
  const {flags, args, env, terminal, signal} = invocation;
  const subject = await providerSubject(invocation, portsOf(invocation), args[0]);
  const {ports, issuer, clientId, redirectUri, wanted} = subject;
  if (issuer === undefined) {
    throw new SetupError('input-required', 'No identity provider was named.', {
      remedy: phrase`Name its issuer: ${setup('provider check', 'https://idp.example.com')}.`,
    });
  }
  const {clientSecret: secret} = await readSecrets(invocation);
  const serviceId = flags['client-id'];
  const service = secret && serviceId !== undefined ? {service: {clientId: serviceId, secret}} : {};
  const outcomes = await checkProvider({issuer, clientId, redirectUri, wanted, ...service}, quietRun(ports, signal));
  const line = (text: string) => terminal.stdout.write(`${text}\n`);
  for (const outcome of outcomes) {
    if (flags.json) terminal.stdout.writeJson({type: 'check', ...outcome});
    else line(describeOutcome(outcome, env, {isWhole: true}));
  }
  const summary = summaryOf(outcomes);
  if (flags.json) terminal.stdout.writeJson({type: 'done', summary});
  else line(`\n${summary}`);
  if (flags.json) endWithFirst(outcomes, flags.strict);
  return exitCodeOf(outcomes, flags.strict);
};
