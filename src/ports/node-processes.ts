import type {Env, Processes, ProcessResult} from './ports.ts';

/** What a helper program may see of the environment: where things are, never a secret that happens to be set. */
const passedOn =
  /^(PATH|HOME|USERPROFILE|APPDATA|LOCALAPPDATA|SYSTEMROOT|PATHEXT|TMPDIR|TEMP|TMP|LANG|LC_.*|KUBECONFIG|HELM_.*|XDG_.*|AWS_PROFILE|AWS_CONFIG_FILE|CLOUDSDK_CONFIG|HTTPS?_PROXY|NO_PROXY)$/i;

const MAX_OUTPUT = 1024 * 1024;

/** Programs of the person's, found on PATH and started without a shell. */
export const createProcesses = (env: Env): Processes => {
  const environment = Object.fromEntries(Object.entries(env).filter(([name]) => passedOn.test(name)));

  const run: Processes['run'] = async (command, args, {timeout, signal}) => {
    const {spawn} = await import('node:child_process');
    const deadline = AbortSignal.timeout(timeout);
    const child = spawn(command, args, {
      env: environment,
      signal: AbortSignal.any([signal, deadline]),
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
      killSignal: 'SIGKILL',
    });
    const output = {stdout: '', stderr: ''};
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8');
      child[name].on('data', (chunk: string) => {
        if (output[name].length < MAX_OUTPUT) output[name] += chunk;
      });
    }
    return new Promise<ProcessResult>((resolve, reject) => {
      child.once('error', (error: NodeJS.ErrnoException) => {
        // A grandchild may hold the pipes open after the kill: nothing more is awaited from them.
        child.stdout.destroy();
        child.stderr.destroy();
        if (signal.aborted) reject(signal.reason);
        else if (deadline.aborted) resolve({outcome: 'timed-out'});
        else if (error.code === 'ENOENT' || error.code === 'EACCES') resolve({outcome: 'missing'});
        else resolve({outcome: 'exited', code: 1, stdout: '', stderr: error.message});
      });
      child.once('close', code => resolve({outcome: 'exited', code: code ?? 1, ...output}));
    });
  };

  return {run};
};
