/** Signs beyond ASCII that texts have, and what stands for them; each is one column wide, as the layout has been made. */
const plain: Readonly<Record<string, string>> = {
  ...{'’': "'", '‘': "'", '“': '"', '”': '"', '…': '.', '×': 'x', '→': '>', '←': '<'},
  ...{'–': '-', '—': '-', '·': '.', '•': '*', '✔': '+', '✖': 'x', '▲': '!', '›': '>', '▏': '|', '┊': '|'},
};

const signs = new RegExp(`[${Object.keys(plain).join('')}]`, 'gu');

/**
 * An output for terminals that can show only ASCII: the same stream, with typographic signs replaced on their way. What
 * has another plain form of its own (the wizard's glyphs) does not come here.
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

/** The same for lines of text, where an ellipsis may be as long as it is; columns behind it stay where they are. */
export const toAsciiLines = (text: string): string =>
  toAscii(text.replaceAll(/…( {4,})/g, (_, gap: string) => `...${gap.slice(2)}`).replaceAll('…', '...'));

/** @returns the text with typographic signs replaced by plain ones of the same width */
export const toAscii = (text: string): string => text.replaceAll(signs, sign => plain[sign] ?? '?');
