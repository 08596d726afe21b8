import {allAssistants} from '../assistants/catalogue/all.ts';
import type {CommandHandler, Invocation} from '../command-line/command.ts';
import {portsTo} from '../command-line/network-flags.ts';
import {formatTable, widthOf} from '../command-line/output/format-table.ts';
import {portsOf} from '../command-line/ports-of.ts';
import {readWizardInput} from '../command-line/wizard/wizard-input.ts';
import {writeNew} from '../command-line/write-new.ts';
import {SetupError} from '../errors/errors.ts';
import {phrase, setup} from '../errors/remedy.ts';
import {faultError, judgeCompanyFile} from '../flows/deployment/find-company-file.ts';
import {findDeployment} from '../flows/deployment/find-deployment.ts';
import {writeCompanyFile} from '../flows/deployment/write-company-file.ts';
import {quietRun} from '../flows/flow.ts';
import {companyFileUrlOf, parseBaseDomain} from '../platform/addresses.ts';
import {type Company, checkBelongs} from '../platform/company-file.ts';
import {findPlatform} from '../platform/platforms.ts';
import type {Ports} from '../ports/ports.ts';
import {SETUP} from '../setup-command.ts';
import {version} from '../version.ts';
import {liveDeployment} from './organisation.ts';

/**
 * `setup platform check`: checks a company file before it is published and, with a base domain, whether the platform
 * there matches the file. The exit code is 2 if the file has a fault.
 */
export const runPlatformCheck: CommandHandler = async invocation => {
  const {flags, args, terminal, signal} = invocation;
  const [source] = args;
  if (source === undefined) {
    throw new SetupError('input-required', 'No company file was named.', {
      remedy: phrase`Pass the file to check: ${setup('platform check', 'platform-setup.json')}.`,
    });
  }
  const ports = await portsTo(undefined, invocation, portsOf(invocation));
  const judged = await judgeCompanyFile({source, version}, quietRun(ports, signal));
  const {stdout} = terminal;
  if ('faults' in judged) {
    const {faults} = judged;
    if (flags.json) for (const fault of faults) stdout.writeJson({type: 'fault', ...fault});
    else {
      const rows = faults.map(({path, sentence, code}) => [path || '(the file)', sentence, code]);
      stdout.write(await formatTable([['FIELD', 'FAULT', 'CODE'], ...rows], widthOf(terminal)));
    }
    throw faultError(faults, source);
  }
  const {company} = judged;
  const notes = notesOn(company);
  const there = flags['base-domain'] === undefined ? [] : await lookThere(company, source, invocation, ports);
  if (flags.json) {
    for (const note of notes) stdout.writeJson({type: 'note', message: note});
    stdout.writeJson({type: 'done', name: company.name, baseDomain: company.baseDomain, ...Object.fromEntries(there)});
    return;
  }
  for (const note of notes) stdout.write(`Note: ${note}\n`);
  for (const [name, address] of there) stdout.write(`${titles[name]}: ${address}\n`);
  stdout.write(`${source} is valid. You can publish it at ${companyFileUrlOf(company.platform, company.baseDomain)}\n`);
};

const titles = {
  controlPlaneUrl: 'Control plane',
  authUrl: 'Identity provider',
  observerUrl: 'Observer',
} as const;

/** Returns notes on values that are not faults, because another version of this program may know them. */
const notesOn = ({defaults: {assistants = []}}: Company): readonly string[] => {
  const unknown = assistants.filter(id => !allAssistants.some(one => one.id === id));
  return unknown.map(id => `defaults.assistants: this version knows no assistant called ${id}.`);
};

/**
 * Returns the addresses at which the file's platform answers.
 *
 * @throws SetupError `input-company-file-elsewhere` if the file is for another base domain; `input-invalid`; the errors
 *   of `findDeployment`
 */
const lookThere = async (company: Company, source: string, {flags, signal}: Invocation, ports: Ports) => {
  const baseDomain = flags['base-domain'] ?? company.baseDomain;
  const platforms = [company.platform];
  checkBelongs(company, parseBaseDomain(baseDomain, platforms), source);
  const found = await findDeployment({platforms, baseDomain, addresses: {}, layout: 'auto'}, quietRun(ports, signal));
  if (!('deployment' in found)) throw new Error('One base domain leads to one platform.');
  const {controlPlaneUrl, authUrl, observerUrl} = found.deployment;
  return [
    ['controlPlaneUrl', controlPlaneUrl],
    ['authUrl', authUrl],
    ...(observerUrl === undefined ? [] : [['observerUrl', observerUrl] as const]),
  ] as const;
};

/** `setup platform init`: writes a company file from a running platform, to standard output or to a new file. */
export const runPlatformInit: CommandHandler = async invocation => {
  const {flags, terminal, signal} = invocation;
  const warn = (message: string) => terminal.stderr.write(`${message}\n`);
  const input = await readWizardInput(invocation, portsOf(invocation));
  const deployment = await liveDeployment(input, {signal, warn});
  const platform = findPlatform(deployment.platform);
  const company = input.settings.companyFile ? {company: input.settings.companyFile.company} : {};
  const json = await writeCompanyFile({deployment, platform, ...company}, quietRun(input.ports, signal, warn));
  const text = `${JSON.stringify(json, null, 2)}\n`;
  const {output} = flags;
  if (output === undefined) {
    if (flags.json) terminal.stdout.writeJson(json);
    else terminal.stdout.write(text);
    return;
  }
  await writeNew(output, text);
  if (flags.json) terminal.stdout.writeJson({type: 'done', path: output});
  else terminal.stdout.write(`The company file is in ${output}. Check it with ${SETUP} platform check ${output}.\n`);
};
