import {PassThrough} from 'node:stream';
import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import type {Invocation} from '../../../src/command-line/command.ts';
import {tellDiagnosis} from '../../../src/command-line/diagnosis/tell-diagnosis.ts';
import {readSecrets} from '../../../src/command-line/read-secrets.ts';
import {startSandboxProcess} from '../../../src/command-line/sandbox/start-sandbox.ts';
import {draw} from '../../../src/command-line/wizard/draw.tsx';
import {cancelled} from '../../../src/errors/errors.ts';
import type {DiagnosisRun} from '../../../src/state/diagnosis/diagnosis-run.ts';

/** Creates a run that Ctrl-C ended while it was starting: the signal arrives before the program listens. */
const endedRun = () => {
  const raw = new PassThrough({encoding: 'utf8'});
  const stdin = new PassThrough();
  const terminal = {raw, stdin, stdout: {}, stderr: {}};
  const invocation = {terminal, flags: {}, env: {}, typed: new Set(), signal: AbortSignal.abort(cancelled())};
  return {raw, invocation: invocation as unknown as Invocation};
};

test('no screen is drawn for it, nothing is begun, and the prompt gets a line of its own', async () => {
  const {raw, invocation} = endedRun();
  let begun = 0;
  const ending = await draw(
    'a screen',
    invocation,
    () => {
      begun += 1;
    },
    () => false,
  );
  expect({ending, begun, written: raw.read()}).toEqual({ending: undefined, begun: 0, written: '\r\n'});
});

test('it does not wait for a secret on standard input', async () => {
  const {invocation} = endedRun();
  const reading = readSecrets({...invocation, flags: {'client-secret-stdin': true}});
  await expect(reading).rejects.toMatchObject({code: 'cancelled'});
});

test('it does not wait for a sandbox', async () => {
  const {invocation} = endedRun();
  const program = fileURLToPath(new URL('missing.js', import.meta.url));
  const starting = startSandboxProcess(
    program,
    {flags: [], furnishing: {projects: [], bindings: []}},
    process.env,
    invocation.signal,
  );
  await expect(starting).rejects.toMatchObject({code: 'cancelled'});
});

test('its diagnosis is stopped', async () => {
  const {invocation} = endedRun();
  let isStopped = false;
  const run = {
    subscribe: () => () => {},
    stop: () => {
      isStopped = true;
    },
    run: async () => {
      if (isStopped) throw cancelled();
    },
  } as unknown as DiagnosisRun;
  await expect(tellDiagnosis(run, {...invocation, flags: {json: true}})).rejects.toMatchObject({code: 'cancelled'});
});
