/**
 * How a deployment is reached, as it is kept with its context; no secrets. What is absent is left to the environment
 * and to this machine's own certificates.
 */
export type NetworkSettings = {
  /** `none` for no proxy at all, `environment` for what the variables say at each start. */
  readonly proxy?: 'none' | 'environment' | KeptProxies;
  /** Authorities that are trusted for it besides this machine's own: a file by its absolute path, or PEM. */
  readonly authority?: {readonly file: string} | {readonly pem: string};
  /** What this machine proves itself with (mutual TLS): absolute paths of PEM files. */
  readonly clientCertificate?: {readonly certificate: string; readonly key: string};
};

/** Proxies by the scheme of the address they are for, without passwords, and what goes past them as NO_PROXY has it. */
export type KeptProxies = {readonly http?: string; readonly https?: string; readonly except?: string};

/** Passwords of proxies by the proxy as it is shown, without one. */
export type ProxyPasswords = Readonly<Record<string, string>>;

/** The way that calls take. It is told once the deployment is known, and again when the person says otherwise. */
export type Route = {
  /** Certificates of the system's store as they are now; absent as long as nobody has asked for them anew. */
  system(): readonly string[] | undefined;
  /** Reads the system's store anew, for whatever was put there since the start, and lets go of all connections. */
  readAnew(): Promise<void>;
  use(settings: NetworkSettings, passwords?: ProxyPasswords): void;
  settings(): NetworkSettings;
  passwords(): ProxyPasswords;
};

/** @param readSystem reads the system's store in a process of its own: Node reads it once, and keeps it */
export const createRoute = (
  readSystem: () => Promise<readonly string[] | undefined> = async () => undefined,
): Route => {
  let used: {settings: NetworkSettings; passwords: ProxyPasswords} = {settings: {}, passwords: {}};
  let system: readonly string[] | undefined;
  return {
    use: (wanted, passwords = {}) => {
      // Connections are kept by the settings that they were made with.
      if (JSON.stringify([wanted, passwords]) === JSON.stringify([used.settings, used.passwords])) return;
      used = {settings: wanted, passwords};
    },
    settings: () => used.settings,
    system: () => system,
    readAnew: async () => {
      system = (await readSystem()) ?? system;
      used = {...used, settings: {...used.settings}};
    },
    passwords: () => used.passwords,
  };
};
