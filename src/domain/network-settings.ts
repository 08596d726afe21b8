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
  /** Host names that may be called over plain http. */
  readonly allowHttp?: readonly string[];
};

/** Proxies by the scheme of the address they are for, without passwords, and what goes past them as NO_PROXY has it. */
export type KeptProxies = {readonly http?: string; readonly https?: string; readonly except?: string};

/** Passwords of proxies by the proxy as it is shown, without one. */
export type ProxyPasswords = Readonly<Record<string, string>>;
