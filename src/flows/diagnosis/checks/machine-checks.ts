import {dirname} from 'node:path';
import type {Assistant} from '../../../assistants/assistant.ts';
import type {Place} from '../../../assistants/place.ts';
import {type Finding, pass, warn} from '../../../domain/finding.ts';
import {pathKey} from '../../../domain/paths.ts';
import {remedyText} from '../../../errors/describe-error.ts';
import {SetupError, toSetupError} from '../../../errors/errors.ts';
import {phrase, setup, signIn, withFlags} from '../../../errors/remedy.ts';
import type {Ports} from '../../../ports/ports.ts';
import {openText} from '../../planned-file.ts';
import {requireOwnFiles} from '../../require-own-files.ts';
import {withOtherWays} from '../../sign-in/callback-server.ts';
import {type Check, loginCommand, notApplicable} from '../check.ts';
import {onNewDeployment} from './sign-in-remedy.ts';

/** The versions of Node and of this program. */
export const node: Check = {
  id: 'node',
  title: 'Node and this program',
  needs: [],
  run: async ({machine: {node, version}}) => pass(`Node ${node}, platform-setup ${version}`),
};

export const proxy: Check = {
  id: 'proxy',
  title: 'Proxy',
  needs: ['config'],
  run: async ({ports: {network, route}, subject, signal}) => {
    const {controlPlaneUrl, observerUrl, authUrl} = subject;
    const addresses = [controlPlaneUrl, authUrl, ...(observerUrl === undefined ? [] : [observerUrl])];
    const urls = addresses.map(address => new URL(address));
    const proxies = await Promise.all(urls.map(url => network.proxy(url)));
    const used = urls.filter((_, index) => proxies[index] && proxies.indexOf(proxies[index]) === index);
    const reached = await Promise.all(
      used.map(async url => `${await network.proxy(url)}, ${(await network.connectToProxy(url, signal)).ms} ms`),
    );
    if (reached.length === 0) return pass('no proxy');
    const {proxy: inForce} = route.settings;
    const isKept = inForce !== undefined && JSON.stringify(inForce) === JSON.stringify(subject.context?.network?.proxy);
    const origin = isKept ? ' (saved with the deployment)' : '';
    return pass(`${reached.join('; ')}${origin}`);
  },
};

/** The certificate authorities that are trusted, and the client certificate of this machine. */
export const trust: Check = {
  id: 'trust',
  title: 'Trust',
  needs: ['config'],
  run: async ({machine: {distrusts}, ports: {route, files}}) => {
    const {authority, clientCertificate} = route.settings;
    if (authority && 'file' in authority && !(await files.exists(authority.file))) {
      throw new SetupError('input-invalid', `The certificate authority’s file is gone: ${authority.file}.`, {
        remedy: phrase`Put it back, or sign in with another one: ${signIn('--ca-file FILE')}.`,
        about: {path: authority.file, flag: 'ca-file'},
      });
    }
    const saw = [
      'Node’s and this system’s authorities',
      ...(authority ? ['file' in authority ? authority.file : 'the authority saved with the deployment'] : []),
      ...(clientCertificate ? [`client certificate ${clientCertificate.certificate}`] : []),
    ].join('; ');
    if (!distrusts) return pass(saw);
    return warn(
      saw,
      'NODE_TLS_REJECT_UNAUTHORIZED=0 turns certificate checks off for other Node programs started from this shell. This program still checks certificates.',
      'Unset it, and trust the missing certificate authority: --ca-file /path/to/ca.pem.',
    );
  },
};

export const config: Check = {
  id: 'config',
  title: 'Saved deployment',
  needs: [],
  run: async ({ports, subject: {context}, learned}) => {
    learned.config = await ports.config.read();
    if (context) return pass(`${context.name}, ${context.baseDomain}`);
    const count = learned.config.contexts.length;
    return pass(count === 0 ? 'none yet' : `${count} saved, not this one`);
  },
};

/** Whether the mode of a file lets the group or others read or change it. */
const isOpenToOthers = ({mode}: {readonly mode: number}): boolean => (mode & 0o077) !== 0;

export const credentials: Check = {
  id: 'credentials',
  title: 'Stored secrets',
  needs: ['config'],
  run: async ({ports, machine, subject}) => {
    const {context} = subject;
    const {credentials, files} = ports;
    if (!context) return {verdict: 'skipped', saw: 'nothing is stored for this deployment'};
    // Read before the store is asked: the store restricts a file that others can read.
    const contents = await files.read(credentials.path);
    const isOwn = await files.isForOwner(credentials.path);
    await credentials.get(context);
    const where = await credentials.where();
    if (!contents) return pass(where);
    // The next process that writes takes over the lock of a killed process, so a lock is shown but is no fault.
    const lock = (await files.exists(`${credentials.path}.lock`)) ? ', locked' : '';
    const place = where === 'file' ? credentials.path : where;
    // Windows has access lists instead of modes.
    if (machine.place.system === 'win32') {
      if (where !== 'file') return pass(`${place}${lock}`);
      if (isOwn) return pass(`${place}, access for you alone${lock}`);
      return warn(
        `${place}, inherits its directory’s access${lock}`,
        'Other users of this machine, at least its administrators, can read your tokens.',
        phrase`Fix: ${setup('doctor', '--fix')}.`,
        'tighten',
      );
    }
    const saw = `${place}, mode ${contents.mode.toString(8)}${lock}`;
    if (!isOpenToOthers(contents)) return pass(saw);
    const now = await files.read(credentials.path);
    if (now && !isOpenToOthers(now)) {
      const sentence =
        'Others on this machine could read your tokens until now. The file has just been closed to them.';
      return warn(saw, sentence, phrase`If others use this machine, sign in again: ${loginCommand(subject)}.`);
    }
    return warn(
      saw,
      'Others on this machine can read your tokens.',
      `Fix: chmod 600 ${credentials.path}. If others use this machine, sign in again after that.`,
      'tighten',
    );
  },
};

/** Whether this program can store what it learns: otherwise a sign-in is useless, and so is its renewal. */
export const ownFiles: Check = {
  id: 'own-files',
  title: 'Directory of this program',
  needs: ['config'],
  run: async ({ports}) => {
    await requireOwnFiles(ports);
    return pass(`${dirname(ports.config.path)} can be written to`);
  },
};

export const browser: Check = {
  id: 'browser',
  title: 'Browser',
  needs: ['config'],
  run: async scene => {
    const {ports, subject, learned, outcomeOf} = scene;
    const other = notApplicable(subject);
    if (other) return other;
    const obstacle = ports.browser.obstacle();
    if (!obstacle) return pass('one can be opened');
    const saw = {
      ssh: 'none (this terminal runs on another machine)',
      container: 'none (running in a container)',
      'no-display': 'none (no display)',
    }[obstacle.kind];
    // The metadata says whether there are codes, if it could be read.
    await outcomeOf('discovery');
    const hasCodes = learned.metadata?.device_authorization_endpoint !== undefined;
    const command = loginCommand(subject);
    const run = subject.context ? phrase`Run ${command}.` : await onNewDeployment(scene, 'Run', command);
    return warn(saw, 'No browser can be opened from here.', [
      run,
      THEN,
      ...(hasCodes ? [phrase`Or sign in with a code: ${withFlags(command, '--device')}.`] : []),
    ]);
  },
};

const THEN =
  'It prints an address: open that in a browser on your own machine, and sign in. Then copy the address at which the browser ends up, and paste it into the terminal.';

export const callbackPort: Check = {
  id: 'callback-port',
  title: 'Callback port',
  needs: ['config'],
  run: async ({ports, subject, machine: {redirectUri}, learned, outcomeOf}) => {
    const other = notApplicable(subject);
    if (other) return other;
    const url = new URL(redirectUri);
    const listening = ports.callback.listen(url, async () => {
      throw new SetupError('bug', 'No sign-in runs during this check.');
    });
    const listener = await listening.catch(async error => {
      if (!(error instanceof SetupError)) throw error;
      if (error.about.isLentPort) return 'lent';
      // The system keeps the port of a connection that has ended for a minute at most, and a sign-in waits for it.
      if (error.about.isFreeSoon) return 'closing';
      // The metadata says whether there are codes, if it could be read.
      await outcomeOf('discovery');
      const failure = withOtherWays(error, learned.metadata?.device_authorization_endpoint !== undefined);
      // A person who has just signed in does not need the port now, so it does not explain what fails.
      if (!subject.unsaved?.token) throw failure;
      return failure;
    });
    if (listener instanceof SetupError)
      return warn(`${url.host} is in use`, listener.message, listener.remedy ?? 'Stop the program that uses it.');
    if (listener === 'lent')
      return pass(`${url.host} is in use by a sign-in that an assistant started; yours will replace it`);
    if (listener === 'closing')
      return pass(`${url.host} will be free within a minute: the system still holds it after a sign-in`);
    await listener.close();
    return pass(`${url.host} is free`);
  },
};

/** A file of an assistant that cannot be read in its format, and the name of the assistant. */
type Broken = {readonly path: string; readonly name: string; readonly error: SetupError};

/**
 * The files in which the assistants on this machine keep their servers, the person's and the project's. A file that
 * does not parse stops a setup before anything is written. Files with entries of the context have checks of their own.
 */
export const assistantFiles: Check = {
  id: 'assistant-files',
  title: 'Files of your assistants',
  needs: ['config'],
  run: async ({ports, machine: {assistants, place}, subject: {context}}): Promise<Finding> => {
    const used = new Set((context?.entries ?? []).map(({path}) => pathKey(path)));
    const looked = await Promise.all(
      assistants.map(async assistant => {
        if (!(await isHere(assistant, place, ports))) return [];
        const paths = filesOf(assistant, place).filter(path => !used.has(pathKey(path)));
        return Promise.all(paths.map(path => look(assistant, path, ports)));
      }),
    );
    const found = looked.flat().flatMap(one => one ?? []);
    const count = new Set(found.map(({path}) => path)).size;
    if (count === 0) {
      return {
        verdict: 'skipped',
        saw: used.size > 0 ? 'no other files; those with entries are checked below' : 'no assistant has one here',
      };
    }
    // Several assistants may read the same file, and some are stricter than others.
    const broken = [...Map.groupBy(found.filter(isBroken), ({path}) => path).values()];
    const faults = broken.flat();
    const [first] = faults;
    if (!first) return pass(`${count} of ${count} can be read`);
    const saw = `${count - broken.length} of ${count} can be read`;
    const sentence = broken.flatMap(([one]) => one?.error.message ?? []).join(' ');
    // The wizard stops at such a file with this code.
    return {...warn(saw, sentence, remedyFor(faults)), code: first.error.code};
  },
};

/** An assistant that leaves no traces is looked for by its files alone. */
const isHere = async ({traces}: Assistant, place: Place, {files}: Ports): Promise<boolean> => {
  const paths = traces(place);
  return paths.length === 0 || (await Promise.all(paths.map(files.exists))).includes(true);
};

const filesOf = ({files, alsoReads}: Assistant, place: Place): readonly string[] => [
  ...new Set((['user', 'project'] as const).flatMap(scope => (alsoReads ?? files)(scope, place))),
];

type Looked = {readonly path: string} | Broken;

/** Parses a file if it exists, and loads a parser only then. Its contents are not kept. */
const look = async ({name, format}: Assistant, path: string, {files}: Ports): Promise<Looked | undefined> => {
  try {
    const contents = await files.read(path);
    if (!contents) return undefined;
    const {editor, text} = await openText(format, contents.bytes, path);
    editor.read(text, path);
    return {path};
  } catch (error) {
    return {path, name, error: toSetupError(error)};
  }
};

const isBroken = (looked: Looked): looked is Broken => 'error' in looked;

/** Says what to do about a file that cannot be parsed, or that may not be read. */
const remedyFor = (broken: readonly Broken[]): string => {
  const remedies = broken.map(({error}) =>
    error.code === 'local-file-invalid' && error.remedy === undefined
      ? 'Open the file in an editor, and fix what the message names.'
      : remedyText(error),
  );
  const names = [...new Set(broken.map(({name}) => name))].join(', ');
  return `${[...new Set(remedies)].join(' ')} Until then, leave out ${names} when you connect your assistants.`;
};
