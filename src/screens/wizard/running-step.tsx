import type {Header, Intro, ProgressView} from '../../state/view/view.ts';
import {Blocks, partsOfBlocks, rowsOfBlocks, usePrintBinding} from '../parts/blocks.tsx';
import {CallTicker} from '../parts/calls.tsx';
import type {Binding} from '../parts/keys.tsx';
import {useFit} from '../parts/layout.tsx';
import {ProgressRows, progressRows, useElapsed} from '../parts/progress-rows.tsx';
import {Screen} from '../parts/screen.tsx';
import {useScroll} from '../parts/scroll.tsx';
import {useSize} from '../parts/size.tsx';

type Props = {
  readonly header: Header;
  readonly view: ProgressView;
  /** Identifies the step: another one starts the clock again. */
  readonly step: string;
  readonly back: readonly Binding[];
  readonly intro?: Intro;
};

/** Shows a running step: its rows, what it waits for, and the calls that it makes. */
export function Progress({header, view, step, back, intro}: Props) {
  const {heading, rows, calls, awaited} = view;
  const elapsed = useElapsed(step);
  const {columns} = useSize();
  const scroll = useScroll({of: step});
  const about = awaited ? [awaited] : [];
  const bindings = [...scroll.bindings, ...usePrintBinding(awaited?.block), ...back];
  const needed = progressRows(rows, columns);
  const layoutFor = useFit(header, heading, bindings, intro);
  const shared = (hasRoom: boolean) => {
    const told = rowsOfBlocks(about, columns, hasRoom);
    return {hasRoom, told, layout: layoutFor({rows: needed + told, parts: 1 + partsOfBlocks(about)})};
  };
  // Lines to copy can be printed, so they are left out before anything scrolls.
  const whole = shared(true);
  const {hasRoom, told, layout} = whole.layout.fits ? whole : shared(false);
  const room = Math.min(MOST_CALLS, layout.room - needed - told - layout.gap);
  return (
    <Screen header={header} heading={heading} bindings={bindings} layout={layout} {...(intro ? {intro} : {})}>
      <ProgressRows rows={rows} elapsed={elapsed} room={layout.room} />
      <Blocks blocks={about} room={layout.room - needed} scroll={scroll} gap={layout.gap} hasRoom={hasRoom} />
      {room <= 0 || calls.length === 0 ? null : <CallTicker calls={calls} most={room} />}
    </Screen>
  );
}

/** The number of calls that a person can follow. */
const MOST_CALLS = 6;
