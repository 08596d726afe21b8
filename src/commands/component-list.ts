import {accessToken} from '../flows/access-token.ts';
import {type Component, listComponents} from '../flows/platform-tools/list-components.ts';
import {findPlatform} from '../platform/platforms.ts';
import {version} from '../version.ts';
import type {Run} from './command.ts';
import {currentContext} from './current-context.ts';
import {finish} from './finish.ts';
import {formatTable} from './format-table.ts';
import {portsOf} from './ports-of.ts';

/** `setup component list`: the verification of platform access 4.5. */
export const runComponentList: Run = async invocation => {
  const {flags, terminal, signal} = invocation;
  const ports = portsOf(invocation);
  const context = await currentContext(ports, flags);
  const {accessToken: token} = await finish(accessToken(context, ports, signal));
  const {controlPlaneUrl} = context;
  const {serverVersion, components} = await finish(
    listComponents({platform: findPlatform(context.platform), controlPlaneUrl, token}, ports, signal),
  );
  if (flags.json) {
    terminal.stdout.write(`${JSON.stringify({cliVersion: version, serverVersion, components})}\n`);
    return;
  }
  const rows = [['NAME', 'PROJECT', 'NAMESPACE', 'TYPE', 'STATUS'], ...components.map(toRow)];
  const table = components.length === 0 ? 'No components found\n' : formatTable(rows);
  terminal.stdout.write(`CLI version:    ${version}\nServer version: ${serverVersion}\n\n${table}`);
};

const toRow = ({name, project, namespace, type, status}: Component) => [name, project, namespace, type, status];
