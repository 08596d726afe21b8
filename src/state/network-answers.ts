import type {NetworkSettings} from '../domain/context.ts';
import type {Secret} from '../domain/secret.ts';

/** The person's answers during the run about how the platform is reached. */
export type NetworkAnswers = {
  /** The certificate authority that the person trusts for this platform, in addition to the earlier ones. */
  readonly authority?: NonNullable<NetworkSettings['authority']> | 'cluster';
  /** How the platform is reached, if the person said so during the run. */
  readonly network?: Pick<NetworkSettings, 'proxy' | 'clientCertificate' | 'allowHttp'>;
  /** The passwords of proxies that were named during the run, by the proxy as it is shown. */
  readonly proxyPasswords?: Readonly<Record<string, Secret>>;
  /** Hosts that this run, and the entries that it writes, may call over plain http. */
  readonly allowedOnce?: readonly string[];
};

/** Whether a flag names a file of a client certificate. */
export const isClientCertificate = (flag: string | undefined): boolean =>
  flag === 'client-cert' || flag === 'client-key';
