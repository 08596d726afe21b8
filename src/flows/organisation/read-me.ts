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
  files,
}: About): KitFile => {
  const {baseDomain, controlPlaneUrl} = deployment;
  const of = release === undefined ? '' : `, release ${plain(release)}`;
  const roles = hasRoles
    ? 'Look over `platform/role-bindings.yaml`: the groups have to be yours. Then apply it.'
    : 'This release of the platform has no roles, so there are no role bindings.';
  const text = `# Organisation kit for ${plain(platformName)}

Everything to roll out the platform at ${baseDomain} to the machines of an organisation. It was written by platform-setup ${version} from ${controlPlaneUrl}${of}. It contains no secrets. Export it again after you upgrade either of them.

## What to do

1. **Identity provider.** Register the clients of \`identity-provider/clients.json\`; \`identity-provider/set-up.txt\` says where to click. Skip this if the platform brings its identity provider, and nobody has changed it.
2. **Platform.** Apply \`platform/helm-values.yaml\` if people sign in with a client of your own. ${roles}
3. **Company file.** Publish \`${COMPANY_FILE}\` at <${companyFileUrl}>. Check it first: \`npx setup platform check ${COMPANY_FILE}\`.
4. **Machines.** Decide between two ways. With \`machines/servers\`, every machine has the servers and people add no others. With \`machines/allow-list\`, people connect these servers themselves, and no others. Below each there is a directory for each system, and in it every file at its place (\`vscode.reg\` and \`vscode.mobileconfig\` are imported instead). Put the files and the program on every machine: with \`ansible/playbook.yml\` on Linux, with your device management elsewhere. If you already manage one of these files, merge the two: the kit’s has only what this platform needs. The playbook keeps a copy of what it replaces.
5. **Registry.** If you have an MCP registry for VS Code or Copilot, add the documents of \`registry/servers\` to it. Otherwise any web server can be one: serve \`registry/PATH/index.json\` at \`PATH\`, as \`application/json\` and with \`Access-Control-Allow-Origin: *\`, and export the kit with \`--registry-url\`.
6. **People** run \`platform-setup --base-domain ${baseDomain}\` once, and sign in. Until then each assistant tells them so.

The entries start the program below \`${prefixOn('linux')}\` (Linux and macOS) or \`${prefixOn('win32')}\` (Windows), where \`npm install --global --prefix\` puts it, with the Node.js beside it. If you install it elsewhere, change these paths.

## The files

| file | what it is for | how it was checked |
|---|---|---|
${files.flatMap(rowsOf).join('\n')}
`;
  return {path: 'README.md', text, does: 'Says where each file goes and how it was checked. Start here.'};
};

const rowsOf = ({path, does, checked = ''}: KitFile): readonly string[] =>
  does === undefined ? [] : [`| ${[`\`${path}\``, does, checked].map(cell).join(' | ')} |`];

const cell = (text: string) => text.replaceAll('|', '\\|');

/** A text of somebody else's as text: nothing in it is Markdown. */
const plain = (text: string) => cleanText(text).replaceAll(/[\\`*_{}[\]<>()#+!|~]/g, String.raw`\$&`);
