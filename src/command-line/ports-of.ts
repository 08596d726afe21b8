import {compose} from '../compose.ts';
import {hostsIn, ownFlags} from '../domain/own-command.ts';
import type {NetworkPolicy} from '../ports/network/http.ts';
import type {Ports} from '../ports/ports.ts';
import {startProgram} from '../ports/processes/processes.ts';
import type {Invocation} from './command.ts';
import {ownCommand} from './find-own-command.ts';

/**
 * Returns the real ports for one run of a command.
 *
 * @param lasts whether the command runs for long, and so renews sign-ins itself instead of starting a process for that
 */
export const portsOf = (invocation: Invocation, {lasts = false} = {}): Ports => {
  const {env, recorder, program, words: called = []} = invocation;
  const startApart = (words: readonly string[]) => {
    const {SETUP_HOME: home} = env;
    startProgram(program, [...words, ...ownFlags({...ownCommand(invocation), ...(home ? {home} : {})})], env);
  };
  return compose(env, {
    ...policyOf(invocation),
    command: called.join(' ') || 'setup',
    ...(recorder ? {recorder} : {}),
    ...(lasts ? {} : {startApart}),
  });
};

/** Allows the hosts of --allow-http to be called without TLS. */
const policyOf = ({flags}: Invocation): NetworkPolicy => ({allowHttp: hostsIn(flags['allow-http'])});
