import {type Cell, type Run, runsOf, type Style} from '../test/support/terminal/terminal-runs.ts';

/** The sizes of the picture, in pixels. A cell is as wide as a character of the fonts below at this size. */
const FONT_SIZE = 14;
const CELL = {width: 8.4, height: 19};
/** The screens have a margin of two cells on the left, and none on the right. */
const PADDING = {left: 14, right: 30, y: 16};
const BAR = 34;

const FONTS =
  "ui-monospace, SFMono-Regular, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace";

/** Dark on every page, like most terminals, with a border that is visible on a dark page. */
const theme = {
  background: '#161b22',
  bar: '#21262d',
  border: '#3d444d',
  text: '#e6edf3',
  dots: ['#ff5f57', '#febc2e', '#28c840'],
  /** The eight colours of a terminal. The bright ones are the same here. */
  colors: ['#484f58', '#ff7b72', '#3fb950', '#d29922', '#58a6ff', '#bc8cff', '#39c5cf', '#b1bac4'],
};

type Lines = readonly (readonly Cell[])[];

/** Draws a terminal window with these lines as an SVG document. Text stays text. */
export const drawTerminal = (lines: Lines, title: string, description: string): string =>
  drawWindow([lines], title, description, drawLines(lines));

export type Frame = {
  readonly lines: Lines;
  /** How long the frame is shown, in milliseconds. */
  readonly ms: number;
};

/**
 * Draws the same as a recording that repeats. A person who has turned off motion sees the last frame.
 *
 * @param frames at least one
 */
export const drawRecording = (frames: readonly Frame[], title: string, description: string): string => {
  const total = frames.reduce((sum, {ms}) => sum + ms, 0);
  let begun = 0;
  const rules: string[] = [];
  const moves: string[] = [];
  const groups: string[] = [];
  for (const [index, {lines, ms}] of frames.entries()) {
    const [from, to] = [begun, begun + ms].map(at => round((100 * at) / total));
    begun += ms;
    const hidden = from === 0 ? `${to}%` : `0%, ${to}%`;
    rules.push(`@keyframes f${index} { ${hidden} { visibility: hidden } ${from}% { visibility: visible } }`);
    moves.push(`.f${index} { animation: f${index} ${total}ms step-end infinite }`);
    groups.push(`<g class="f f${index}">`, ...drawLines(lines), '</g>');
  }
  const still = `@media (prefers-reduced-motion: reduce) { .f${frames.length - 1} { visibility: visible } }`;
  const moving = `@media (prefers-reduced-motion: no-preference) { ${moves.join(' ')} }`;
  const style = `<style>.f { visibility: hidden } ${rules.join(' ')} ${moving} ${still}</style>`;
  return drawWindow(
    frames.map(({lines}) => lines),
    title,
    description,
    [style, ...groups],
  );
};

const drawLines = (lines: Lines): readonly string[] =>
  lines.flatMap((line, row) => runsOf(line).map(run => drawRun(run, row)));

/** @param screens all of them have to fit into the window */
const drawWindow = (screens: readonly Lines[], title: string, description: string, rows: readonly string[]): string => {
  const columns = Math.max(...screens.flat().map(line => line.length));
  const width = Math.ceil(columns * CELL.width + PADDING.left + PADDING.right);
  const height = BAR + Math.max(...screens.map(lines => lines.length)) * CELL.height + 2 * PADDING.y;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<desc>${escaped(description)}</desc>`,
    `<style>text { font: ${FONT_SIZE}px ${FONTS}; fill: ${theme.text}; white-space: pre; } .b { font-weight: 700; } .d { opacity: 0.62; }</style>`,
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10" fill="${theme.background}" stroke="${theme.border}"/>`,
    `<path d="M1 ${BAR}V11a10 10 0 0 1 10 -10H${width - 11}a10 10 0 0 1 10 10V${BAR}Z" fill="${theme.bar}"/>`,
    ...theme.dots.map((fill, index) => `<circle cx="${20 + index * 20}" cy="${BAR / 2}" r="6" fill="${fill}"/>`),
    `<text class="d" x="${width / 2}" y="${BAR / 2 + 5}" text-anchor="middle">${escaped(title)}</text>`,
    ...rows,
    '</svg>',
    '',
  ].join('\n');
};

const drawRun = ({at, text, style}: Run, row: number): string => {
  const x = round(PADDING.left + at * CELL.width);
  const top = BAR + PADDING.y + row * CELL.height;
  const extent = round(text.length * CELL.width);
  const block = style.inverse
    ? `<rect x="${x}" y="${top}" width="${extent}" height="${CELL.height}" fill="${theme.text}"/>`
    : '';
  if (text.trim() === '') return block;
  // Spacing fits a narrower or wider font to the cells. A single character keeps its own shape.
  const fit = text.length > 1 ? ` textLength="${extent}"` : '';
  return `${block}<text x="${x}" y="${top + 14}"${fit}${classOf(style)}${fillOf(style)} xml:space="preserve">${escaped(text)}</text>`;
};

const classOf = ({bold, dim}: Style) => {
  const classes = [...(bold ? ['b'] : []), ...(dim ? ['d'] : [])];
  return classes.length === 0 ? '' : ` class="${classes.join(' ')}"`;
};

/** As a style, because a rule of the style sheet would override an attribute. */
const fillOf = ({color, inverse}: Style) => {
  const fill = inverse ? theme.background : color === undefined ? undefined : theme.colors[color % 8];
  return fill === undefined ? '' : ` style="fill: ${fill}"`;
};

const round = (pixels: number) => Math.round(pixels * 10) / 10;

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
