import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {type ClusterOptions, createCluster} from '../../support/cluster.ts';
import {serve} from '../../support/server.ts';

type Options = ClusterOptions & {
  /** The directory in which the program is put. */
  readonly directory: string;
};

/**
 * Puts a kubectl on a PATH of its own, which answers from a cluster in this process.
 *
 * @returns the environment with it, the names of all objects in the cluster, and the calls
 */
export const kubectlIn = async ({directory, ...options}: Options) => {
  const {answer, names} = createCluster(options);
  const calls: string[] = [];
  const origin = await serve(async (request, response) => {
    const {args, input} = JSON.parse(await text(request));
    calls.push(args.join(' '));
    response.end(JSON.stringify(answer(args, input)));
  });
  const path = join(directory, 'cluster-tools');
  mkdirSync(path);
  writeFileSync(
    join(path, 'kubectl'),
    `#!${process.execPath}
const send = async input => {
  const body = JSON.stringify({args: process.argv.slice(2), input});
  const {code, stdout, stderr} = await (await fetch(${JSON.stringify(origin)}, {method: 'POST', body})).json();
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  process.exitCode = code;
};
let input = '';
process.stdin.on('data', part => { input += part; }).on('end', () => send(input));
`,
    {mode: 0o755},
  );
  const kubeconfig = join(path, 'kubeconfig');
  writeFileSync(kubeconfig, 'current-context: acme\n');
  return {env: {PATH: path, KUBECONFIG: kubeconfig}, names, calls};
};
