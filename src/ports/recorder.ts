import {appendFileSync} from 'node:fs';
import {dirname} from 'node:path';
import {secretsIn} from '../domain/secret.ts';
import {directoryModes, makeDirectory} from './files/writing/make-directory.ts';
import {handOver} from './files/writing/owner.ts';
import {createRedactor, type Redactor} from './redact.ts';

/** A record of one run, for who has to find out what happened: one JSON object a line, secrets replaced. */
export type Recorder = {
  readonly path: string;
  readonly redactor: Redactor;
  /** Adds a line: what happened, and milliseconds since the start of the program. Never fails the run. */
  record(what: string, details?: object): void;
};

/** A line is on the disk before the next thing happens, so that a crash leaves all of them. */
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
      // Whatever is told of a secret of this run, nothing from here on may show it.
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

/** Errors say nothing of themselves in JSON. */
const errorsToo = (_key: string, value: unknown): unknown =>
  value instanceof Error
    ? {...value, name: value.name, message: value.message, stack: value.stack, cause: value.cause}
    : value;
