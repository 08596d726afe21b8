import {readFile} from 'node:fs/promises';
import {delimiter, join} from 'node:path';
import type {Env} from '../ports.ts';

/**
 * Whether kubectl and helm have a cluster to ask: a kubeconfig names a current context, a variable names one for helm,
 * or this runs in a pod. Otherwise they ask `localhost:8080`, which may be any program. True if a file cannot be read:
 * they report that problem themselves.
 */
export const hasKubeContext = async (env: Env, home: string): Promise<boolean> => {
  if (env.KUBERNETES_SERVICE_HOST || env.HELM_KUBECONTEXT || env.HELM_KUBEAPISERVER) return true;
  const named = (env.KUBECONFIG ?? '').split(delimiter).filter(path => path !== '');
  const files = named.length > 0 ? named : [join(home, '.kube', 'config')];
  const found = await Promise.all(files.map(namesContext));
  return found.includes(true);
};

/** Matches a current context in a kubeconfig: YAML, which includes JSON. */
const current = /["']?\bcurrent-context["']?[ \t]*:[ \t]*["']?[^\s"',}#]/;

const namesContext = async (path: string): Promise<boolean> => {
  try {
    return current.test(await readFile(path, 'utf8'));
  } catch (error) {
    return !(error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'));
  }
};
