/** Signs beyond ASCII in texts, with their replacements. Each is one column wide, as the layout is already done. */
const plain: Readonly<Record<string, string>> = {
  ...{'’': "'", '‘': "'", '“': '"', '”': '"', '…': '.', '×': 'x', '→': '>', '←': '<'},
  ...{'–': '-', '—': '-', '·': '.', '•': '*', '✔': '+', '✖': 'x', '▲': '!', '›': '>', '▏': '|', '┊': '|'},
};

const signs = new RegExp(`[${Object.keys(plain).join('')}]`, 'gu');

/**
 * Returns a stream for terminals that can show only ASCII: it replaces typographic signs in what is written. The
 * wizard's glyphs, which have a plain form of their own, do not need it.
 */
export const asciiOutput = (stream: NodeJS.WriteStream): NodeJS.WriteStream =>
  new Proxy(stream, {
    get: (target, key) => {
      if (key === 'write') {
        return (chunk: unknown, ...rest: unknown[]) =>
          Reflect.apply(target.write, target, [typeof chunk === 'string' ? toAscii(chunk) : chunk, ...rest]);
      }
      const value = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

/** As `toAscii`, for lines of text: an ellipsis may become longer, and the columns after it stay in place. */
export const toAsciiLines = (text: string): string =>
  toAscii(text.replaceAll(/…( {4,})/g, (_, gap: string) => `...${gap.slice(2)}`).replaceAll('…', '...'));

/** @returns the text with typographic signs replaced by plain ones of the same width */
export const toAscii = (text: string): string => text.replaceAll(signs, sign => plain[sign] ?? '?');
