import {expect} from 'vitest';

type Screen = {readonly frame: () => string; readonly press: (key: string) => void};

/** Returns everything that a screen shows from its position to its end, page by page, without line breaks. */
export const readToEnd = async ({frame, press}: Screen): Promise<string> => {
  const pages: string[] = [];
  for (let page = 0; page < 90; page += 1) {
    pages.push(frame().replaceAll(/\s+/g, ' '));
    if (!/\d+ more lines? \(space\)/.test(frame())) break;
    const before = frame();
    press(' ');
    await expect.poll(frame).not.toBe(before);
  }
  return pages.join('\n');
};
