import {appendFileSync} from 'node:fs';
import {dirname} from 'node:path';
import {secretsIn} from '../domain/secret.ts';
import {directoryModes, handOver, makeDirectory} from './files/owner.ts';
import {createRedactor, type Redactor} from './redact.ts';

/** A record of one run, for finding out what happened: one JSON object per line, secrets replaced. */
export type Recorder = {
  readonly path: string;
  readonly redactor: Redactor;
  /** Adds a line: what happened, and the milliseconds since the start of the program. Never fails the run. */
  record(what: string, details?: object): void;
};

/** Creates a recorder. It writes each line synchronously, so that a crash loses none. */
export const createRecorder = (path: string): Recorder => {
  const redactor = createRedactor();
  let works = true;
  try {
    makeDirectory(dirname(path), directoryModes.own);
    appendFileSync(path, '', {mode: 0o600});
    handOver(path);
  } catch {
    works = false;
  }
  return {
    path,
    redactor,
    record: (what, details = {}) => {
      if (!works) return;
      // Details may contain secrets of this run; from here on no line may show them.
      for (const secret of secretsIn(details)) redactor.learn(secret.reveal());
      const line = JSON.stringify({since: Math.round(performance.now()), what, ...details}, errorsToo);
      try {
        appendFileSync(path, `${redactor.redact(line)}\n`, {mode: 0o600});
      } catch {
        works = false;
      }
    },
  };
};

/** Includes the members of errors, which JSON would omit. */
const errorsToo = (_key: string, value: unknown): unknown =>
  value instanceof Error
    ? {...value, name: value.name, message: value.message, stack: value.stack, cause: value.cause}
    : value;
