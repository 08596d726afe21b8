import * as jsqr from 'jsqr';
import {expect, test} from 'vitest';
import {qrLines} from '../../../src/screens/parts/qr-code.tsx';

// A CommonJS module, whose types say otherwise.
const read = (jsqr as unknown as {default: typeof jsqr.default.default}).default;

/** How many points a character is wide, and half of one is high: as large as a reader wants it. */
const SCALE = 4;

/** What a phone sees of these lines, where a drawn half is white and the rest is black. */
const pictureOf = (lines: readonly string[]) => {
  const [width, height] = [(lines[0]?.length ?? 0) * SCALE, lines.length * 2 * SCALE];
  const data = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const row = Math.floor(y / SCALE);
      const sign = lines[Math.floor(row / 2)]?.[Math.floor(x / SCALE)] ?? ' ';
      const isWhite = sign === '█' || sign === (row % 2 === 0 ? '▀' : '▄');
      data.set(isWhite ? [255, 255, 255, 255] : [0, 0, 0, 255], (y * width + x) * 4);
    }
  }
  return {data, width, height};
};

test.each([
  'https://sso.acme.example/realms/dev/device?user_code=TLEK-ATUA',
  'https://login.acme.example/device?code=ABCD-EFGH&with=a%20longer%20address%20than%20most%20of%20them%20have',
])('a reader finds %s', async address => {
  const lines = await qrLines(address);
  const {data, width, height} = pictureOf(lines);
  expect(read(data, width, height)?.data).toBe(address);
});

test('a usual address takes no more than a narrow terminal has', async () => {
  const lines = await qrLines('https://sso.acme.example/realms/dev/device?user_code=TLEK-ATUA');
  expect(lines[0]?.length).toBeLessThanOrEqual(38);
});
