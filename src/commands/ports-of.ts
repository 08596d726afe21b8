import {compose} from '../compose.ts';
import type {Ports} from '../ports/ports.ts';
import type {Invocation} from './command.ts';

/** The real ports for one run of a command. */
export const portsOf = ({flags, env, recorder}: Invocation): Ports => {
  const allowHttp = (flags['allow-http'] ?? '')
    .split(',')
    .map(host => host.trim().toLowerCase())
    .filter(Boolean);
  return compose(env, {allowHttp, ...(recorder ? {recorder} : {})});
};
