import type {CommandHandler} from '../../command-line/command.ts';
import {liveDeployment} from '../../command-line/company/live-deployment.ts';
import {writeNew} from '../../command-line/company/write-new.ts';
import {portsOf} from '../../command-line/ports-of.ts';
import {readWizardInput} from '../../command-line/wizard/wizard-input.ts';
import {writeCompanyFile} from '../../flows/company-file/write-company-file.ts';
import {quietRun} from '../../flows/quiet-run.ts';
import {findPlatform} from '../../platform/platforms.ts';
import {SETUP} from '../../setup-command.ts';

/** `setup platform init`: writes a company file from a running platform, to standard output or to a new file. */
export const runPlatformInit: CommandHandler = async invocation => {
  const {flags, terminal, signal} = invocation;
  const warn = (message: string) => terminal.stderr.write(`${message}\n`);
  const given = await readWizardInput(invocation, portsOf(invocation));
  const deployment = await liveDeployment(given, {signal, warn});
  const platform = findPlatform(deployment.platform);
  const company = given.settings.companyFile ? {company: given.settings.companyFile.company} : {};
  const json = await writeCompanyFile({deployment, platform, ...company}, quietRun(given.ports, signal, warn));
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
