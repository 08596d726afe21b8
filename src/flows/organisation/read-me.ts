import type {Deployment} from '../../domain/deployment.ts';
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
4. **Registry**, if you use one with VS Code or Copilot. Add the documents of \`registry/servers\` to it. Any web server can be a registry too: serve \`registry/PATH/index.json\` at \`PATH\`, as \`application/json\` and with \`Access-Control-Allow-Origin: *\`${named}.
5. **Package.** The machines install \`platform-setup@${version}\` and Node.js from npm. Make sure that they get this program: verify the release, or put the package into a registry of your own.
6. **Machines.** Choose one of two ways. With \`machines/servers\`, Claude Code and Codex have the servers on every machine, and people can add no others. With \`machines/allow-list\`, people connect these servers themselves, and can add no others. In both, people connect VS Code and Copilot themselves. Below each way there is a directory for each system, with every file at its place (\`vscode.reg\` and \`vscode.mobileconfig\` are imported instead). Put the files and the program on every machine: with \`ansible/playbook.yml\` on Linux, with your device management elsewhere. If you already manage one of these files, merge the two: the kit’s has only what this platform needs. The playbook keeps a copy of what it replaces, and removes what this kit has put there the other way.
7. **People** run \`platform-setup --base-domain ${baseDomain}\` once, and sign in. Until then each assistant tells them so. \`platform-setup doctor\` checks a machine.

The entries start the program in \`${prefixOn('linux')}\` (Linux and macOS) or \`${prefixOn('win32')}\` (Windows), where \`npm install --global --prefix\` puts it, with the Node.js beside it. If you install it elsewhere, change these paths.

## What the lists leave open

A program that an assistant starts counts by its name in the lists of Claude Code and Copilot, because it lies elsewhere for each person, and by its path without its arguments in Codex. Somebody who can edit their own settings can therefore start another program under the name of one of these servers. Servers at an address count by the address.

## The files

| file | what it is for | how files of this kind were checked |
|---|---|---|
${files.flatMap(rowsOf).join('\n')}
`;
  return {path: 'README.md', text, does: 'Says what to do and how files of each kind were checked. Start here.'};
};

const rowsOf = ({path, does, checked = ''}: KitFile): readonly string[] =>
  does === undefined ? [] : [`| ${[`\`${path}\``, does, checked].map(cell).join(' | ')} |`];

const cell = (text: string) => text.replaceAll('|', '\\|');

/** A text of somebody else's as text: nothing in it is Markdown. */
const plain = (text: string) => cleanText(text).replaceAll(/[\\`*_{}[\]<>()#+!|~]/g, String.raw`\$&`);
