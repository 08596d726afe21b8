import type {NetworkSettings, ProxyPasswords} from '../../domain/network-settings.ts';

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
