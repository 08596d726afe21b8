import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {onTestFinished} from 'vitest';
import {commandLine} from '../../../src/assistants/formats/command-line.ts';
import {onPath} from '../../cluster/support/tools.ts';
import {run} from '../../support/terminal/programs.ts';
import {launcher} from '../../support/terminal/terminal-environment.ts';

/** The directory for screenshots, for a person to look at. Git ignores it. */
const pictures = fileURLToPath(new URL('../../../coverage/terminals/', import.meta.url));

/** Programs that these tests need. */
export const xtermNeeds = ['Xvfb', 'xterm', 'xdotool', 'import', 'convert'];

export type Look = {
  readonly columns: number;
  readonly rows: number;
  /** Options of xterm, and arguments of the program in it. */
  readonly options?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
};

export type Xterm = {
  /** The rows on the screen, as xterm itself prints them, without the spaces at their ends. */
  readonly rows: () => Promise<readonly string[]>;
  /** Resolves with the rows once they contain all of these texts. Rejects after some seconds. */
  readonly waitFor: (...texts: readonly string[]) => Promise<readonly string[]>;
  /** Presses keys by their X11 names. */
  readonly press: (...keys: readonly string[]) => void;
  /** Takes a screenshot, saves it by that name, and returns the colours in each cell of each row. */
  readonly picture: (name: string) => readonly (readonly ReadonlySet<string>[])[];
};

const PATIENCE = 15_000;

/** Opens the built program in a real xterm, on a display of its own. Both end with the test. */
export const openXterm = async ({columns, rows, options = [], args = ['demo'], env = {}}: Look): Promise<Xterm> => {
  const directory = mkdtempSync(join(tmpdir(), 'setup-test-'));
  const display = await startDisplay();
  const [device, page] = [join(directory, 'tty'), join(directory, 'page')];
  const settings = {HOME: directory, SETUP_HOME: join(directory, 'setup'), TMPDIR: directory, LANG: 'C.UTF-8', ...env};
  const program = [process.execPath, launcher, ...args].map(quote).join(' ');
  const script = join(directory, 'start.sh');
  writeFileSync(
    script,
    [
      // Renamed when complete, because a shell creates the file before `tty` has printed anything.
      `tty > ${quote(`${device}.new`)}`,
      `mv ${quote(`${device}.new`)} ${quote(device)}`,
      ...Object.entries(settings).map(([name, value]) => `export ${name}=${quote(value)}`),
      `exec ${program}`,
    ].join('\n'),
  );
  const resources = [`printerCommand: cat > ${page}`, 'printerAutoClose: true', 'printAttributes: 0'];
  const xterm = spawn(
    onPath('xterm') ?? '',
    [
      ...[
        '-u8',
        '-geometry',
        `${columns}x${rows}+0+0`,
        '-bw',
        '0',
        '-b',
        String(FREE),
        '-fn',
        '-misc-fixed-medium-r-normal--13-*-iso10646-1',
      ],
      ...resources.flatMap(resource => ['-xrm', `*${resource}`]),
      ...options,
      ...['-e', 'sh', script],
    ],
    {env: {PATH: process.env.PATH, HOME: directory, LANG: 'C.UTF-8', DISPLAY: display}, stdio: 'ignore'},
  );
  onTestFinished(async () => {
    await endOf(xterm);
    rmSync(directory, {recursive: true, force: true, maxRetries: 5});
  });

  const onDisplay = {...process.env, DISPLAY: display};

  const shown: Xterm['rows'] = async () => {
    rmSync(page, {force: true});
    // Media copy (MC, ECMA-48 8.3.82): xterm prints the screen.
    if (existsSync(device)) writeFileSync(readFileSync(device, 'utf8').trim(), '\u001B[i');
    const text = await eventually('The page that xterm prints', () => {
      const printed = existsSync(page) ? readFileSync(page, 'utf8') : '';
      return printed.split('\n').length > rows || printed.includes('\f') ? printed : undefined;
    });
    return text
      .replaceAll(/[\r\f]/g, '')
      .split('\n')
      .map(line => line.trimEnd());
  };
  const waitFor: Xterm['waitFor'] = async (...texts) => {
    const end = performance.now() + PATIENCE;
    for (;;) {
      const seen = existsSync(device) ? await shown() : [];
      if (texts.every(text => seen.join('\n').includes(text))) return seen;
      if (performance.now() > end)
        throw new Error(`${texts.join(', ')} did not appear. The screen:\n${seen.join('\n')}`);
      await pause(50);
    }
  };
  return {
    rows: shown,
    waitFor,
    press: (...keys) => {
      // Without a window manager, the window under the pointer gets the keyboard.
      run('xdotool', ['mousemove', '40', '40'], onDisplay);
      for (const key of keys) run('xdotool', ['key', key], onDisplay);
    },
    picture: name => {
      const file = join(pictures, `${name}.png`);
      mkdirSync(dirname(file), {recursive: true});
      const [window = ''] = run('xdotool', ['search', '--onlyvisible', '--class', 'xterm'], onDisplay).split('\n');
      run('import', ['-display', display, '-window', window, file]);
      return cellsOf(run('convert', [file, '-depth', '8', 'txt:-']), columns, rows);
    },
  };
};

/** The margin of xterm around its rows, in pixels. */
const FREE = 2;

/**
 * Returns the colours of each cell in a picture as ImageMagick lists it: a line with the size, then one line for each
 * pixel.
 */
const cellsOf = (pixels: string, columns: number, rows: number): Set<string>[][] => {
  const [, across = 0, down = 0] = (/: (\d+),(\d+),/.exec(pixels) ?? []).map(Number);
  const [width, height] = [(across - 2 * FREE) / columns, (down - 2 * FREE) / rows];
  const cells = Array.from({length: rows}, () => Array.from({length: columns}, () => new Set<string>()));
  for (const [, x, y, color = ''] of pixels.matchAll(/^(\d+),(\d+): .*(#[0-9A-F]{6})/gm)) {
    const [column, row] = [Math.floor((Number(x) - FREE) / width), Math.floor((Number(y) - FREE) / height)];
    cells[row]?.[column]?.add(color.toLowerCase());
  }
  return cells;
};

/** Starts a display whose number the X server chooses. */
const startDisplay = async (): Promise<string> => {
  const server = spawn(onPath('Xvfb') ?? '', ['-displayfd', '3', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => endOf(server));
  const [number] = await once(server.stdio[3] as NodeJS.ReadableStream, 'data');
  return `:${String(number).trim()}`;
};

const endOf = async (child: ChildProcess) => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'close');
};

const eventually = async <Found>(what: string, find: () => Found | undefined): Promise<Found> => {
  const end = performance.now() + PATIENCE;
  for (;;) {
    const found = find();
    if (found !== undefined) return found;
    if (performance.now() > end) throw new Error(`${what} did not appear.`);
    await pause(20);
  }
};

const quote = (word: string) => commandLine([word], 'linux');
