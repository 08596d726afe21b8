import {expect, test} from 'vitest';
import {createFrameTracker} from '../../../src/command-line/output/frame-tracker.ts';

test('a line that is drawn again before an emoji has no style of what was erased behind it', () => {
  const {take} = createFrameTracker(false);
  const cursor = (text: string) => `\u001B[7m${text}\u001B[27m`;
  take(`top\r\n\u001B[1m> \u001B[22m${cursor(' ')}`);
  // Each update begins at the first difference in the line, as Ink does it.
  take(`\u001B[1A\u001B[1B\u001B[3G\u001B[Ka\u{1F44D}b${cursor(' ')}`);
  const {text} = take(`\u001B[1A\u001B[1B\u001B[6G\u001B[K${cursor('b')}`);
  expect(text).toContain(`\r\u001B[1m> \u001B[22ma\u{1F44D}\u001B[K${cursor('b')}`);
});
