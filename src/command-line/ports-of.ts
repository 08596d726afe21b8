import {compose} from '../compose.ts';
import type {NetworkPolicy} from '../ports/network/network-policy.ts';
import type {Ports} from '../ports/ports.ts';
import type {Invocation} from './command.ts';

/** The real ports for one run of a command. */
export const portsOf = (invocation: Invocation): Ports => {
  const {env, recorder} = invocation;
  return compose(env, {...policyOf(invocation), ...(recorder ? {recorder} : {})});
};

/** The hosts of --allow-http are those that may be called without TLS. */
const policyOf = ({flags}: Invocation): NetworkPolicy => ({
  allowHttp: (flags['allow-http'] ?? '')
    .split(',')
    .map(host => host.trim().toLowerCase())
    .filter(Boolean),
});
