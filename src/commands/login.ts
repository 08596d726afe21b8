import type {CommandHandler} from '../command-line/command.ts';
import {answersOf, readSaved, withSaved} from '../command-line/context/saved-context.ts';
import {portsOf} from '../command-line/ports-of.ts';
import {isInteractive, runEither} from '../command-line/wizard/run-either.ts';
import {readWizardInput} from '../command-line/wizard/wizard-input.ts';
import {SetupError} from '../errors/errors.ts';
import {initialState} from '../state/model.ts';

/**
 * `setup login`: signs in, again or for the first time, and renews every entry that holds the sign-in. Without other
 * words it is done the way it was done before, and in the browser the first time (platform access 4.5).
 */
export const runLogin: CommandHandler = async invocation => {
  const {flags} = invocation;
  const ports = portsOf(invocation);
  const {settings, answers} = await readWizardInput(invocation, ports);
  const saved = await readSaved(flags, ports);
  const {context} = saved;
  if (!context && flags.context !== undefined) {
    throw new SetupError('input-invalid', `There is no context called ${flags.context}.`, {
      remedy: 'See npx setup context list.',
      about: {flag: 'context'},
    });
  }
  const known = withSaved(settings, saved);
  const again = context ? answersOf(context, answers, settings.clientSecret ?? saved.clientSecret) : {};
  const initial = context
    ? initialState({...known, saved: context, again}, {...again, resume: 'sign-in'})
    : initialState(
        {...known, login: true},
        {
          ...answers,
          deploymentAccepted: true,
          signIn: answers.signIn ?? 'browser',
        },
      );
  const yes = isInteractive(invocation) ? {} : {yes: true};
  await runEither(initial, ports, {...invocation, flags: {...flags, ...yes}});
};
