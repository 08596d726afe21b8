import type {Deployment} from '../../domain/context.ts';
import {cleanText} from '../../text.ts';
import {COMPANY_FILE, type KitFile} from './kit-file.ts';
import {prefixOn} from './machine-wide.ts';

type About = {
  readonly deployment: Deployment;
  readonly platformName: string;
  readonly release?: string;
  readonly version: string;
  readonly hasRoles: boolean;
  /** The address at which the wizard looks for the company file. */
  readonly companyFileUrl: string;
  /** Whether policies name where the registry is served. */
  readonly isRegistryNamed: boolean;
  readonly files: readonly KitFile[];
};

/** Where to begin, and of each file what it is for and how it was checked. As Markdown. */
export const readMe = ({
  deployment,
  platformName,
  release,
  version,
  hasRoles,
  companyFileUrl,
  isRegistryNamed,
  files,
}: About): KitFile => {
  const {baseDomain, controlPlaneUrl} = deployment;
  const of = release === undefined ? '' : `, release ${plain(release)}`;
  const roles = hasRoles
    ? 'Replace the group names in `platform/role-bindings.yaml` with those of your identity provider, then apply the file.'
    : 'This release of the platform has no roles, so there are no role bindings.';
  const named = isRegistryNamed ? '' : ', and export the kit again with `--registry-url`, so that policies name it';
  const text = `# Organisation kit for ${plain(platformName)}

Everything you need to connect your organisation’s machines to the platform at ${baseDomain}. It was written by platform-setup ${version} from ${controlPlaneUrl}${of}. It contains no secrets. Export it again after you upgrade the platform or platform-setup.

## What to do

1. **Identity provider.** Register the clients of \`identity-provider/clients.json\`; \`identity-provider/set-up.txt\` says where to click. Skip this if you use the identity provider that comes with the platform, unchanged.
2. **Platform.** Apply \`platform/helm-values.yaml\` if people sign in with a client of your own. ${roles}
3. **Company file.** Fill in the name and a contact in \`${COMPANY_FILE}\`, check it with \`npx platform-setup platform check ${COMPANY_FILE}\`, and publish it at <${companyFileUrl}>.
4. **Registry**, if you use one with VS Code or Copilot. Add the documents in \`registry/servers\` to it. Any web server can be a registry too: serve \`registry/PATH/index.json\` at \`PATH\`, as \`application/json\` and with \`Access-Control-Allow-Origin: *\`${named}.
5. **Package.** The machines install \`platform-setup@${version}\` and Node.js from npm. Make sure that they get this program: verify the release, or publish the package in your own registry.
6. **Machines.** Choose one of two ways. \`machines/servers\` gives Claude Code and Codex the servers on every machine; people cannot add others. \`machines/allow-list\` lets people connect these servers themselves; they cannot add others. VS Code and Copilot cannot be given servers by a file, so people always connect those themselves. Each way has a directory for each system, laid out as on the machine (\`vscode.reg\` and \`vscode.mobileconfig\` are imported instead). Install the files and the program with \`ansible/playbook.yml\` on Linux, and with your device management elsewhere. If you already manage one of these files, merge the two, because the kit’s file contains only what this platform needs. The playbook backs up every file that it replaces, and removes the files of the other way.
7. **People** run \`platform-setup --base-domain ${baseDomain}\` once and sign in. Until then, their assistants tell them to. To check a machine, run \`platform-setup doctor\`.

The entries start the program in \`${prefixOn('linux')}\` (Linux and macOS) or \`${prefixOn('win32')}\` (Windows), where \`npm install --global --prefix\` puts it, with the Node.js next to it. If you install it elsewhere, change these paths.

## What the lists do not prevent

Claude Code and Copilot recognise a program that an assistant starts by the name of its entry, because the program is in a different place for each person. Codex recognises it by its path, without its arguments. So people who can edit their own settings can start another program under the name of one of these servers. Servers at an address are recognised by the address.

## The files

| file | what it is for | how files of this kind were checked |
|---|---|---|
${files.flatMap(rowsOf).join('\n')}
`;
  return {path: 'README.md', text, does: 'Start here: what to do, and how files of each kind were checked.'};
};

const rowsOf = ({path, does, checked = ''}: KitFile): readonly string[] =>
  does === undefined ? [] : [`| ${[`\`${path}\``, does, checked].map(cell).join(' | ')} |`];

const cell = (text: string) => text.replaceAll('|', '\\|');

/** A text of somebody else's as text: nothing in it is Markdown. */
const plain = (text: string) => cleanText(text).replaceAll(/[\\`*_{}[\]<>()#+!|~]/g, String.raw`\$&`);
