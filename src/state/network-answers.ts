import type {NetworkSettings} from '../domain/context.ts';
import type {Secret} from '../domain/secret.ts';

/** What the person said on the way of how the platform is reached. */
export type NetworkAnswers = {
  /** The authority that the person trusts for this platform, on top of what was said before. */
  readonly authority?: NonNullable<NetworkSettings['authority']> | 'cluster';
  /** How the platform is reached, where the person said so on the way. */
  readonly network?: Pick<NetworkSettings, 'proxy' | 'clientCertificate' | 'allowHttp'>;
  /** The passwords of proxies that were named so, by the proxy as it is shown. */
  readonly proxyPasswords?: Readonly<Record<string, Secret>>;
  /** Hosts that this run, and the entries that it writes, may call over plain http. */
  readonly allowedOnce?: readonly string[];
};

/** Whether a flag names a file of a client certificate. */
export const isClientCertificate = (flag: string | undefined): boolean =>
  flag === 'client-cert' || flag === 'client-key';
