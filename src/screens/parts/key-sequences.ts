/** A piece of a terminal's input. `raw` is the input as it came. */
export type KeyToken =
  /** Characters that keys type: all that came without anything in between. */
  | {readonly type: 'text'; readonly raw: string}
  /** One key. `key` has the same form for all terminals, one that Ink knows. */
  | {readonly type: 'key'; readonly raw: string; readonly key: string}
  /** Esc followed by a key: either Alt with the key, or the two one after the other. */
  | {readonly type: 'chord'; readonly raw: string; readonly alt: string; readonly behind: KeyToken}
  /** The text between the marks of a bracketed paste. */
  | {readonly type: 'paste'; readonly raw: string; readonly text: string}
  /** An answer of the terminal, a mouse report, or a key without a use here. */
  | {readonly type: 'nothing'; readonly raw: string};

/** `esc`: only Esc has come so far, once or twice. `sequence`: the input can only be the beginning of a longer one. */
export type Pending = 'esc' | 'sequence';

export const ESC = '\u001B';
export const CTRL_C = '\u0003';
export const PASTE_START = `${ESC}[200~`;
export const PASTE_END = `${ESC}[201~`;

/** Esc as a sequence of its own (kitty's). It needs no wait for further input. */
export const ESC_KEY = `${ESC}[27u`;

const DELETE = `${ESC}[3~`;
const TAB_BACK = `${ESC}[Z`;

const isControl = (code: number) => code < 0x20 || (code >= 0x7f && code <= 0x9f);

/**
 * Returns the token at the beginning of `input`, which is not empty.
 *
 * @see ECMA-48 5.4 for control sequences, 5.6 for strings; XTerm Control Sequences, “PC-Style Function Keys”
 */
export const firstToken = (input: string): KeyToken | Pending => {
  if (input.startsWith(ESC)) return escaped(input);
  // A terminal in cooked mode sends a line feed for Enter, and Windows sends both.
  const enter = /^(?:\r\n?|\n)/.exec(input)?.[0];
  if (enter !== undefined) return {type: 'key', raw: enter, key: '\r'};
  const code = input.charCodeAt(0);
  if (!isControl(code)) return {type: 'text', raw: /^[^\p{Cc}]+/u.exec(input)?.[0] ?? input};
  const raw = input.slice(0, 1);
  return code === 0 || code > 0x7f ? {type: 'nothing', raw} : {type: 'key', raw, key: raw};
};

const escaped = (input: string): KeyToken | Pending => {
  const next = input[1];
  if (next === undefined) return 'esc';
  if (next === '[') return controlSequence(input);
  if (next === 'O') return singleShift(input);
  if (isAnswer.test(input)) return controlString(input);
  if (mayBeAnswer.test(input)) return 'sequence';
  if (next !== ESC) return chord(input);
  if (input.length === 2) return 'esc';
  // Some terminals put a second Esc before the sequence of a key that is pressed with Alt.
  return input[2] === '[' || input[2] === 'O' ? chord(input) : {type: 'key', raw: ESC, key: ESC_KEY};
};

const chord = (input: string): KeyToken | Pending => {
  const rest = input.slice(1);
  const first = firstToken(rest);
  if (typeof first === 'string') return first;
  // A paste or an answer of the terminal followed Esc directly.
  if (first.type !== 'text' && first.type !== 'key') return {type: 'key', raw: ESC, key: ESC_KEY};
  const behind = first.type === 'key' ? first : {...first, raw: String.fromCodePoint(rest.codePointAt(0) ?? 0)};
  return {type: 'chord', raw: ESC + behind.raw, alt: withAlt(behind), behind};
};

const withAlt = (token: KeyToken): string => {
  if (token.type !== 'key') return ESC + token.raw;
  const letter = /^\u001B\[(?:1;\d+)?([A-Z])$/.exec(token.key)?.[1];
  return letter === undefined ? ESC + token.key : `${ESC}[1;3${letter}`;
};

/** Answers that terminals send as strings: colours, titles and the clipboard; settings and names; pictures. */
const isAnswer = /^\u001B(?:\][\dlL]|P[\d>!]|_G)/;
/** The beginning of such an answer. */
const mayBeAnswer = /^\u001B[\]P_]$/;

/** A string ends with BEL or ST. Any other control character ends it too, so that no key press is lost in it. */
const controlString = (input: string): KeyToken | Pending => {
  const end = /[\u0000-\u001F\u007F-\u009F]/.exec(input.slice(1));
  if (!end) return 'sequence';
  const at = end.index + 1;
  if (input[at] === '\u0007' || input[at] === '\u009C') return {type: 'nothing', raw: input.slice(0, at + 1)};
  if (input[at] !== ESC) return {type: 'nothing', raw: input.slice(0, at)};
  if (input[at + 1] === undefined) return 'sequence';
  return {type: 'nothing', raw: input.slice(0, input[at + 1] === '\\' ? at + 2 : at)};
};

/** Parameters, intermediates and the final byte. rxvt ends keys with Shift in `$`; Linux begins some with `[[`. */
const csi = /^\u001B\[(\[[A-E]|\d\$|[0-?]*[ -/]*[@-Z\\-~])/;
const csiBegun = /^\u001B\[(?:\[|[0-?]*[ -/]*)/;
/** The oldest form of a mouse report: three characters follow its final byte. */
const mouse = /^\u001B\[M[^\p{Cc}]{0,3}/u;

const controlSequence = (input: string): KeyToken | Pending => {
  const [report] = mouse.exec(input) ?? [];
  if (report !== undefined) return report === input && report.length < 6 ? 'sequence' : {type: 'nothing', raw: report};
  const [raw, body] = csi.exec(input) ?? [];
  if (raw === undefined || body === undefined) {
    const [begun = ''] = csiBegun.exec(input) ?? [];
    return begun === input ? 'sequence' : {type: 'nothing', raw: begun};
  }
  const key = keyOf(body);
  return key === undefined ? {type: 'nothing', raw} : {type: 'key', raw, key};
};

const arrows: Readonly<Record<string, string>> = {a: 'A', b: 'B', c: 'C', d: 'D'};
/** Keys by the number before the tilde, or before rxvt's signs for Shift and Ctrl. */
const numbered: Readonly<Record<string, string>> = {
  1: `${ESC}[H`,
  3: DELETE,
  4: `${ESC}[F`,
  5: `${ESC}[5~`,
  6: `${ESC}[6~`,
  7: `${ESC}[H`,
  8: `${ESC}[F`,
};

/** Returns the key of a control sequence, in one form for all terminals; undefined if it has no use here. */
const keyOf = (body: string): string | undefined => {
  const [, number = '', modifier = '', event, end = ''] = /^(\d*)(?:;(\d+)(?::(\d))?)?([A-Za-z~^$])$/.exec(body) ?? [];
  // A key release, which some terminals report.
  if (event === '3') return undefined;
  const isModified = modifier !== '' && modifier !== '1';
  if (/^[ABCDFH]$/.test(end) && (number === '' || number === '1'))
    return isModified ? `${ESC}[1;${modifier}${end}` : `${ESC}[${end}`;
  if (body === 'Z') return TAB_BACK;
  // st sends this for Delete, and so do other terminals whose terminfo says that it deletes a character.
  if (body === 'P') return DELETE;
  const arrow = arrows[body];
  if (arrow) return `${ESC}[${arrow}`;
  if (/^[~^$]$/.test(end)) {
    const key = numbered[number];
    return key === DELETE && (isModified || end === '^') ? `${ESC}[3;${modifier || '5'}~` : key;
  }
  // XTerm's modifyOtherKeys (27 ; modifiers ; code ~) says the same as kitty's CSI u.
  const [, modifiers, code] = /^27;(\d+);(\d+)~$/.exec(body) ?? [];
  if (code) return `${ESC}[${code};${modifiers}u`;
  return /^\d[\d:;]*u$/.test(body) && !/^[\d:]+;\d*:3/.test(body) ? ESC + `[${body}` : undefined;
};

const singleShift = (input: string): KeyToken | Pending => {
  const [raw = '', final] = /^\u001BO[\d;]*([A-Za-z])?/.exec(input) ?? [];
  if (final === undefined) return raw === input ? 'sequence' : {type: 'nothing', raw};
  if (/[ABCDFH]/.test(final)) return {type: 'key', raw, key: `${ESC}[${final}`};
  if (final === 'M') return {type: 'key', raw, key: '\r'};
  const arrow = arrows[final];
  if (arrow) return {type: 'key', raw, key: `${ESC}[1;5${arrow}`};
  // The keypad in application mode: the character on a key is 64 below its letter.
  return /[j-y]/.test(final)
    ? {type: 'key', raw, key: String.fromCharCode(final.charCodeAt(0) - 0x40)}
    : {type: 'nothing', raw};
};
