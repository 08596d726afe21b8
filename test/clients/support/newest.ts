import type {Client} from './clients.ts';
import {type Installed, install, pathWith} from './install.ts';
import {runProgram} from './program.ts';

const ASK_TIMEOUT = 60_000;

/** A client in the newest version that can be installed. `lacking` says why the registry's newest version cannot. */
export type Newest = {readonly installed: Installed; readonly lacking?: string} | {readonly missing: string};

/** Installs the newest version of a client, or the tested version if the newest does not start. */
export const installNewest = async (client: Client): Promise<Newest> => {
  const name = client.successor ?? client.package;
  const asked = await runProgram('npm', ['view', name, 'version'], {
    ...{cwd: '/', env: {...process.env, PATH: pathWith()}, timeout: ASK_TIMEOUT},
  });
  const version = asked.stdout.trim();
  if (asked.code !== 0 || version === '') return {missing: `npm view ${name} exited with code ${asked.code}`};
  const newest = await install({...client, package: name, version});
  if (!('missing' in newest)) return {installed: newest};
  if (version === client.version) return newest;
  const seen = await install(client);
  return 'missing' in seen ? seen : {installed: seen, lacking: `${version}: ${newest.missing}`};
};
