/** A part of a number that JavaScript may write differently from the JSON text. */
const UNUSUAL_NUMBER = /\d{16}|\.\d|\d[eE]|-0/;

/** Parses JSON; undefined if the text is not JSON. Numbers keep their digits as written (int64 limits in schemas). */
export const parseAsWritten = (text: string): unknown => {
  try {
    return UNUSUAL_NUMBER.test(text) ? JSON.parse(text, asWritten) : JSON.parse(text);
  } catch {
    return undefined;
  }
};

type JsonSource = {readonly rawJSON: (text: string) => unknown};

const asWritten = (_key: string, value: unknown, context?: {readonly source?: string}): unknown => {
  if (typeof value !== 'number' || context?.source === undefined || String(value) === context.source) return value;
  return (JSON as unknown as JsonSource).rawJSON(context.source);
};
