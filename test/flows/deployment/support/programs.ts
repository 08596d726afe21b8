import type {Ports} from '../../../../src/ports/ports.ts';

/** Returns what a program answers to its arguments. Without `code` the exit code is 0. */
export type Program = (args: string) => {
  readonly code?: number;
  readonly stdout?: string;
  readonly stderr?: string;
};

/** Returns ports of a machine that has only these programs, and a cluster that they know. */
export const withPrograms = (ports: Ports, programs: Readonly<Record<string, Program>>): Ports => {
  const run: Ports['processes']['run'] = async (name, args) => {
    const program = programs[name];
    if (program === undefined) return {outcome: 'missing'};
    return {outcome: 'exited', ...{code: 0, stdout: '', stderr: ''}, ...program(args.join(' '))};
  };
  return {...ports, processes: {...ports.processes, run, hasKubeContext: async () => true}};
};
