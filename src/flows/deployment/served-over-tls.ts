import {type ErrorCode, toSetupError} from '../../errors/errors.ts';
import type {BaseDomain} from '../../platform/addresses.ts';
import {candidatesOf, type GivenAddresses, isTriedOverHttp} from '../../platform/addresses.ts';
import type {Platform} from '../../platform/platform.ts';
import type {Run} from '../flow.ts';
import {PROBE_TIMEOUT} from '../time-limits.ts';

/** The errors of a plain http request to a server that speaks TLS. */
const spokenTls: ReadonlySet<ErrorCode> = new Set(['network-reset', 'network-wrong-scheme']);

/** Whether an error may mean that the server speaks TLS although plain http was tried. */
export const maySpeakTls = (error: unknown): boolean => spokenTls.has(toSetupError(error).code);

/**
 * Returns the base domain as it is served. Below `localhost` that is usually plain http. If the control plane speaks
 * TLS instead, with whatever certificate, the same ports are used over https.
 *
 * @param given the addresses that the person gave, which are used exactly as written
 */
export const asServed = async (
  base: BaseDomain,
  platform: Platform,
  given: GivenAddresses,
  {ports, signal}: Pick<Run, 'ports' | 'signal'>,
): Promise<BaseDomain> => {
  if (!isTriedOverHttp(base) || given.controlPlaneUrl !== undefined) return base;
  const secure: BaseDomain = {...base, isServedOverTls: true};
  const failureAt = async (at: BaseDomain): Promise<ErrorCode | undefined> => {
    const [candidate] = candidatesOf(platform, at);
    if (!candidate) return 'platform-not-found';
    try {
      const url = new URL(candidate.url);
      await ports.http.send({method: 'GET', url, timeout: PROBE_TIMEOUT, isQuick: true}, {signal, report: () => {}});
      return undefined;
    } catch (error) {
      signal.throwIfAborted();
      return toSetupError(error).code;
    }
  };
  const plain = await failureAt(base);
  if (plain === undefined || !spokenTls.has(plain)) return base;
  const overTls = await failureAt(secure);
  return overTls === undefined || overTls === 'network-tls' ? secure : base;
};
