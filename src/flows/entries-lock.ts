import {entriesLockOf} from '../domain/paths.ts';
import type {Ports} from '../ports/ports.ts';
import type {Run} from './flow.ts';

/**
 * Runs a flow that writes or removes entries while no other process does. What such a flow touches belongs together: the
 * files of assistants, what the config knows of the entries in them, and the journal. A lock for each file alone lets a
 * second process read the config between two of those writes, and act on what is no longer so.
 *
 * This lock is always taken before the lock of any file, so two processes never wait for each other. A flow that runs
 * others of this kind passes them the run that it is given: with its ports they do not wait for themselves.
 *
 * Tells `setup-awaited` when another process holds the lock. The signal ends the waiting, and nothing once the lock is
 * held: the flow looks at it itself, where it can stop.
 *
 * @throws SetupError `local-locked`, `cancelled`, `local-write-failed` where no lock can be made; and those of the flow
 */
export const whileNobodyWrites = <Output>(run: Run, flow: (held: Run) => Promise<Output>): Promise<Output> => {
  const {ports, signal, tell} = run;
  const {files} = ports;
  const lock = entriesLockOf(ports.config.path);
  const held: Ports = {
    ...ports,
    files: {
      ...files,
      withLock: (path, work, wait) => (path === lock ? work() : files.withLock(path, work, wait)),
    },
  };
  return files.withLock(lock, () => flow({...run, ports: held}), {
    signal,
    onWait: () => tell({type: 'setup-awaited'}),
  });
};
