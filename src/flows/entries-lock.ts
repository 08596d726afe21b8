import {entriesLockOf} from '../domain/paths.ts';
import type {Ports} from '../ports/ports.ts';
import type {Run} from './flow.ts';

/**
 * Runs a flow that writes or removes entries while no other process does. The data that such a flow changes belongs
 * together: the files of assistants, the records of their entries in the config, and the journal. With a lock for each
 * file alone, a second process could read the config between two of those writes, and act on outdated records.
 *
 * This lock is always taken before the lock of any file, so two processes never wait for each other. A flow that runs
 * others of this kind passes them the run that it is given: with the ports of that run they do not wait for the lock
 * again.
 *
 * Tells `setup-awaited` when another process holds the lock. The signal ends the waiting, but nothing once the lock is
 * held: the flow itself checks the signal where it can stop.
 *
 * @throws SetupError `local-locked`, `cancelled`, `local-write-failed` if no lock can be made; and the errors of the
 *   flow
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
