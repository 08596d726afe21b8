import {expect, test, vi} from 'vitest';
import {App} from '../../../src/screens/wizard/app.tsx';
import {render} from '../../support/render.tsx';
import {standing} from '../../support/standing-wizard.ts';
import {screens} from '../screens.ts';

const sizes = [
  {columns: 40, rows: 12},
  {columns: 40, rows: 20},
];

const rows = Object.entries(screens).flatMap(([name, [state]]) => sizes.map(size => ({name, state, ...size})));

/** More offers than any of these lists has. */
const MOST_OFFERS = 9;

test.each(rows)(
  'what is pointed at stays in sight: $name, at $columns x $rows',
  async ({state, columns, rows: most}) => {
    const {frame, press, shows} = render(<App wizard={standing(state)} send={() => {}} now={() => 0} />, {
      columns,
      rows: most,
    });
    await shows(/\S/);
    if (!frame().includes('❯')) return;
    for (let step = 0; step < MOST_OFFERS; step += 1) {
      expect(frame()).toContain('❯');
      // Nothing below the list is cut, because no key would lead to it.
      expect(frame()).not.toContain('()');
      const before = frame();
      press('down');
      // At its end a list stays as it is.
      await vi.waitFor(() => expect(frame()).not.toBe(before), {timeout: 300}).catch(() => {});
      if (frame() === before) break;
    }
  },
);
