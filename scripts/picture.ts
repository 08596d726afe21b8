// Makes the pictures in docs/ from a real run of the demonstration in a pseudo-terminal. Run it after `npm run build`.
import {mkdir, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {fileURLToPath} from 'node:url';
import {startSandbox} from '../src/sandbox/sandbox.ts';
import {openTerminal, type Terminal} from '../test/support/terminal/terminal.ts';
import {launcher} from '../test/support/terminal/terminal-environment.ts';
import {type Cell, screenCells} from '../test/support/terminal/terminal-runs.ts';
import {steadyLines} from './picture-lines.ts';
import {drawRecording, drawTerminal, type Frame} from './picture-svg.ts';

const docs = new URL('../docs/', import.meta.url);

/** High enough that no screen is cut. Each picture is as high as its screen. */
const SIZE = {columns: 80, rows: 50};

/** The screens in order: words that identify each, and the name of its picture. */
const moments = [
  {
    name: 'deployment',
    shows: 'Use this deployment',
    description: 'The wizard has found a deployment: control plane, observer and identity provider answer.',
  },
  {name: 'sign-in', shows: 'Create an MCP client', description: 'The wizard asks how to sign in.'},
  {
    name: 'assistants',
    shows: 'Which assistants should',
    description: 'The wizard asks which assistants to connect; those on this machine are ticked.',
  },
  {
    name: 'review',
    shows: 'enter write',
    description: 'The wizard lists the files that will change, with a diff, before it writes.',
  },
  {
    name: 'done',
    shows: 'enter leave',
    description: 'The wizard is done: both MCP servers list their tools through the file that was written.',
  },
];

/** The picture in the README. */
const FRONT = 'done';

const draw = async (
  name: string,
  lines: readonly (readonly Cell[])[],
  description: string,
  command = 'npx setup demo',
) => {
  const file = fileURLToPath(new URL(`${name}.svg`, docs));
  await writeFile(file, drawTerminal(lines, command, description));
  process.stdout.write(`${file}\n`);
};

const takePictures = async (terminal: Terminal) => {
  for (const {name, shows, description} of moments) {
    await terminal.waitFor(shows);
    const lines = steadyLines(screenCells(terminal.emulator));
    await draw(name, lines, description);
    if (name === FRONT) await draw('wizard', lines, description);
    terminal.press('enter');
  }
  const code = await terminal.exit;
  if (code !== 0) throw new Error(`The demonstration ended with ${code}.`);
};

/** How long a screen is shown for reading, and how long if it only passes, in milliseconds. */
const READING = 3_500;
const PASSING = 400;

/** Records the whole demonstration, screen by screen. */
const takeRecording = async (terminal: Terminal) => {
  const frames: Frame[] = [];
  const take = (ms: number) => {
    const lines = steadyLines(screenCells(terminal.emulator));
    const text = JSON.stringify(lines.map(line => line.map(cell => cell.text)));
    if (lines.length === 0 || text === taken) return;
    taken = text;
    frames.push({lines, ms});
  };
  let taken = '';
  const passing = setInterval(() => take(PASSING), 60);
  for (const {shows} of moments) {
    await terminal.waitFor(shows);
    taken = '';
    take(READING);
    terminal.press('enter');
  }
  await terminal.exit;
  clearInterval(passing);
  taken = '';
  take(READING);
  const file = fileURLToPath(new URL('demo.svg', docs));
  await writeFile(
    file,
    drawRecording(frames, 'npx setup demo', 'A recording of the demonstration, from the first question to the end.'),
  );
  process.stdout.write(`${file}\n`);
};

/** Takes a picture of the diagnostics of a platform whose identity provider lacks something. */
const takeDiagnostics = async () => {
  const {ready, close} = await startSandbox({
    ...{layout: 'single', baseDomain: 'platform.localhost', port: 0, faults: ['no-pkce']},
  });
  const {baseDomain, controlPlaneUrl, observerUrl, authUrl} = ready;
  const flags = ['--base-domain', baseDomain, '--control-plane-url', controlPlaneUrl, '--observer-url', observerUrl];
  const terminal = openTerminal(process.execPath, [launcher, 'doctor', ...flags, '--auth-url', authUrl], {
    columns: 100,
    rows: 40,
    // Stands for a desktop, on which a browser can be opened.
    env: {DISPLAY: ':0'},
  });
  try {
    await terminal.waitFor(/✖ The identity provider does not allow PKCE[\s\S]*❯ ✖ Grants/);
    await draw(
      'diagnostics',
      steadyLines(screenCells(terminal.emulator)),
      'The diagnostics: the verdict, the layers with what came of them, and what to do about the check that failed.',
      'npx setup doctor',
    );
    terminal.press('q');
    await terminal.exit;
  } finally {
    await terminal.close();
    await close();
  }
};

await mkdir(docs, {recursive: true});
await takeDiagnostics();

/** Runs the demonstration in a terminal of its own, and removes what it leaves behind. */
const withDemo = async (
  size: {readonly columns: number; readonly rows: number},
  watch: (terminal: Terminal) => Promise<void>,
) => {
  // The short path of the temporary directory fits on the lines. The terminal's own would be cut.
  const terminal = openTerminal(process.execPath, [launcher, 'demo'], {...size, env: {TMPDIR: tmpdir()}});
  try {
    await watch(terminal);
  } finally {
    await terminal.close();
    const [demo] = /\S*\/platform-setup-demo-\w{6}/.exec(terminal.raw()) ?? [];
    if (demo) await rm(demo, {recursive: true, force: true});
  }
};

await withDemo(SIZE, takePictures);
await withDemo({columns: 80, rows: 26}, takeRecording);
