import {beginsLine, eolOf, isBlank, lineStart} from '../text-edits.ts';

/** How a JSON file is written already, so that what is added looks like the rest. */
export type JsonLayout = {
  readonly eol: string;
  /** One level of indentation. */
  readonly unit: string;
  /** Whether the whole file is one line. */
  readonly isOneLine: boolean;
  /** What stands between the parts of an object in one line: a space or nothing. */
  readonly gap: string;
};

export const layoutOf = (text: string): JsonLayout => ({
  eol: eolOf(text),
  unit: /^([ \t]+)["}]/m.exec(text)?.[1] ?? '  ',
  isOneLine: !text.trim().includes('\n'),
  gap: /":\S/.test(text) && !/": /.test(text) ? '' : ' ',
});

/** The white space with which the line of `at` begins. */
export const indentAt = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(lineStart(text, at), at))?.[0] ?? '';

export const isLaidOut = (text: string, at: number): boolean => beginsLine(text, at) && !isBlank(text.slice(0, at));

/** `value` over several lines, all but the first indented by `indent`. */
export const linesOf = (value: unknown, indent: string, {eol, unit}: JsonLayout): string =>
  JSON.stringify(value, null, unit).replaceAll('\n', eol + indent);

/** `value` in one line: `{"args": ["a", "b"]}`. */
export const inlineOf = (value: unknown, gap: string): string => {
  if (Array.isArray(value)) return `[${value.map(item => inlineOf(item, gap)).join(`,${gap}`)}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const pairs = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}:${gap}${inlineOf(item, gap)}`);
  return `{${pairs.join(`,${gap}`)}}`;
};
