import {jsonText} from '../../assistants/managed.ts';
import type {KitFile} from './platform-files.ts';
import {prefixOn} from './platform-files.ts';

type About = {
  readonly version: string;
  readonly baseDomain: string;
  /** The URL to which the browser returns after a person's sign-in. */
  readonly redirectUri: string;
  /** The files for a Linux machine, with paths below its root. */
  readonly files: readonly Pick<KitFile, 'path' | 'text'>[];
};

/** The user of the image, and the directory that keeps the sign-in when the container is rebuilt. */
const USER = 'node';
const KEPT = `/home/${USER}/.config/platform-setup`;

/** Returns a dev container with the program and the files of every Linux machine. It needs no other part of the kit. */
export const devContainerFiles = ({version, baseDomain, redirectUri, files}: About): readonly KitFile[] => {
  const checked =
    'Built and started with the Dev Containers CLI 0.89 and Docker 20.10, based on Debian 12. The program runs, entries start, and a sign-in survives a rebuild.';
  const prefix = prefixOn('linux');
  const port = Number(new URL(redirectUri).port || 80);
  return [
    {
      path: 'dev-container/devcontainer.json',
      text: jsonText({
        name: `Development on ${baseDomain}`,
        build: {dockerfile: 'Dockerfile'},
        remoteUser: USER,
        mounts: [{source: 'platform-setup', target: KEPT, type: 'volume'}],
        forwardPorts: [port],
        portsAttributes: {[port]: {label: 'Sign-in', onAutoForward: 'silent', requireLocalPort: true}},
      }),
      does: 'Configures a dev container in which assistants can use the platform. Copy the directory into a repository as .devcontainer.',
      checked,
    },
    {
      path: 'dev-container/Dockerfile',
      text: `# Any image works that has Node.js 22.19 or newer, npm and a user called ${USER}.
ARG BASE=node:24-bookworm
FROM \${BASE}

# Your own npm registry, if the build cannot reach the public one.
ARG REGISTRY
RUN npm install --global --ignore-scripts --no-audit --no-fund --prefix ${prefix} \\
      \${REGISTRY:+--registry="\${REGISTRY}"} platform-setup@${version} \\
 && ln -s "$(command -v node)" ${prefix}/bin/node \\
 && ln -s ${prefix}/bin/platform-setup /usr/local/bin/platform-setup \\
 && install -d -o ${USER} -g ${USER} -m 0700 /home/${USER}/.config ${KEPT}

COPY files/ /
`,
      does: 'Builds the image of that dev container, with the files next to it.',
      checked,
    },
    ...files.map(({path, text}) => ({path: `dev-container/files/${path}`, text})),
  ];
};
