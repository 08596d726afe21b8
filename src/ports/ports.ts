import type {Http} from './http.ts';
import type {ConfigStore, CredentialsStore, Files, Vault} from './storage.ts';

export type Clock = {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds on a clock that never jumps, for durations. */
  monotonic(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
};

/** How a program of the person's ended. `missing` when there is none of that name on PATH. */
export type ProcessResult =
  | {readonly outcome: 'exited'; readonly code: number; readonly stdout: string; readonly stderr: string}
  | {readonly outcome: 'missing'}
  | {readonly outcome: 'timed-out'};

export type Processes = {
  /** Runs a program to its end, without a shell, and reads its output. */
  run(
    command: string,
    args: readonly string[],
    options: {timeout: number; signal: AbortSignal},
  ): Promise<ProcessResult>;
};

/** Environment variables, read once at the start. */
export type Env = Readonly<Record<string, string | undefined>>;

/** The edges of the program. Flows reach the world through these and through nothing else. */
export type Ports = {
  readonly http: Http;
  readonly clock: Clock;
  readonly processes: Processes;
  readonly files: Files;
  readonly config: ConfigStore;
  readonly credentials: CredentialsStore;
  readonly vault: Vault;
};
