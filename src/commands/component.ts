import {actingAs} from '../command-line/acting-as.ts';
import type {CommandHandler} from '../command-line/command.ts';
import {currentContext} from '../command-line/current-context.ts';
import {formatTable, widthOf} from '../command-line/output/format-table.ts';
import {portsOf} from '../command-line/ports-of.ts';
import {quietRun} from '../flows/flow.ts';
import {type Component, listComponents} from '../flows/platform-tools/components.ts';
import {renewing} from '../flows/sign-in/fresh-token.ts';
import {platformOfDeployment} from '../platform/platforms.ts';
import {version} from '../version.ts';

/** `setup component list`: lists the components. It is the verification step of platform access 4.5. */
export const runComponentList: CommandHandler = async invocation => {
  const {flags, typed, terminal, signal} = invocation;
  const {context: found, ports} = await currentContext(portsOf(invocation), invocation);
  const context = await actingAs(found, invocation);
  const {controlPlaneUrl} = context;
  const wanted = {
    ...(flags.namespace === undefined ? {} : {namespace: flags.namespace}),
    // The environment variable of `--project` names a directory, for the wizard.
    ...(typed.has('project') && flags.project !== undefined ? {project: flags.project} : {}),
  };
  const platform = platformOfDeployment(context);
  const known = {
    ...(context.release === undefined ? {} : {release: context.release}),
    ...(context.contact === undefined ? {} : {contact: context.contact}),
  };
  const run = quietRun(ports, signal);
  const list = (token: string) => listComponents({platform, controlPlaneUrl, token, ...known, ...wanted}, run);
  const {serverVersion, components, release} = await renewing(context, list, run);
  if (release !== undefined && release !== context.release) await ports.config.saveRelease(context.name, release);
  if (flags.json) {
    terminal.stdout.writeJson({cliVersion: version, serverVersion, components});
    return;
  }
  // From 0.16 on, a component has a status only once it has been built.
  const hasStatus = components.some(({status}) => status !== '');
  const columns = ['NAME', 'PROJECT', 'NAMESPACE', 'TYPE', ...(hasStatus ? ['STATUS'] : [])];
  const rows = [columns, ...components.map(one => toRow(one).slice(0, columns.length))];
  const table = components.length === 0 ? 'No components found\n' : await formatTable(rows, widthOf(terminal));
  terminal.stdout.write(`CLI version:    ${version}\nServer version: ${serverVersion}\n\n${table}`);
};

const toRow = ({name, project, namespace, type, status}: Component) => [name, project, namespace, type, status];
