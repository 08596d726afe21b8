import type {WizardState} from '../../state/model.ts';
import type {Intro, ProgressView} from '../../state/view/view.ts';
import {CallTicker} from '../parts/calls.tsx';
import type {Binding} from '../parts/keys.tsx';
import {useSize} from '../parts/layout/size.tsx';
import {ProgressRows} from '../parts/progress-rows.tsx';
import {Screen} from '../parts/screen.tsx';
import {useElapsed} from '../parts/use-elapsed.ts';

type Props = {
  readonly state: WizardState;
  readonly view: ProgressView;
  /** Differs for each step: its time begins anew. */
  readonly step: string;
  readonly back: readonly Binding[];
  readonly intro?: Intro;
};

/** A running step: what it does, row by row, and the calls that it makes. */
export function Progress({state, view, step, back, intro}: Props) {
  const {heading, rows, calls} = view;
  const elapsed = useElapsed(step);
  const {rows: height} = useSize();
  const room = Math.max(0, height - rows.length - 12);
  return (
    <Screen state={state} heading={heading} bindings={back} {...(intro ? {intro} : {})}>
      <ProgressRows rows={rows} elapsed={elapsed} />
      {room === 0 || calls.length === 0 ? null : <CallTicker calls={calls} most={Math.min(6, room)} />}
    </Screen>
  );
}
