import type {Header, Intro, ProgressView} from '../../state/view/view.ts';
import {CallTicker} from '../parts/calls.tsx';
import type {Binding} from '../parts/keys.tsx';
import {useFit} from '../parts/layout.tsx';
import {ProgressRows, progressRows, useElapsed} from '../parts/progress-rows.tsx';
import {Screen} from '../parts/screen.tsx';
import {useSize} from '../parts/size.tsx';

type Props = {
  readonly header: Header;
  readonly view: ProgressView;
  /** Identifies the step: another one starts the clock again. */
  readonly step: string;
  readonly back: readonly Binding[];
  readonly intro?: Intro;
};

/** Shows a running step: its rows, and the calls that it makes. */
export function Progress({header, view, step, back, intro}: Props) {
  const {heading, rows, calls} = view;
  const elapsed = useElapsed(step);
  const {columns} = useSize();
  const needed = progressRows(rows, columns);
  const layout = useFit(header, heading, back, intro)({rows: needed, parts: 1});
  const room = Math.min(MOST_CALLS, layout.room - needed - layout.gap);
  return (
    <Screen header={header} heading={heading} bindings={back} layout={layout} {...(intro ? {intro} : {})}>
      <ProgressRows rows={rows} elapsed={elapsed} room={layout.room} />
      {room <= 0 || calls.length === 0 ? null : <CallTicker calls={calls} most={room} />}
    </Screen>
  );
}

/** The number of calls that a person can follow. */
const MOST_CALLS = 6;
