import {Box} from 'ink';
import {type ReactNode, useState} from 'react';
import type {WizardState} from '../../state/model.ts';
import type {GuideOnRequest, Intro} from '../../state/view/view.ts';
import {receiptsOf} from '../../state/view/view-of.ts';
import {useCalls} from './calls.tsx';
import {useGuide} from './guide.tsx';
import {type Binding, KeyHelp, KeyLine, useKeys} from './keys.tsx';
import {type Layout, Rail, useUsualLayout} from './layout.tsx';
import {useIsLeaving} from './leave.tsx';
import {Scrolled, useScroll} from './scroll.tsx';
import {Prose, Text} from './text.tsx';
import {color, useGlyphs, useIsDark} from './theme.ts';

type Props = {
  readonly state: WizardState;
  readonly heading: string;
  /** The heading says that all went well. */
  readonly isSuccess?: boolean;
  readonly bindings: readonly Binding[];
  /** A person types words here, so no letter is a key. */
  readonly typing?: boolean;
  /** How it shares out the rows, where it has much to say. */
  readonly layout?: Layout;
  /** How a client is registered that belongs to this screen, to be shown on request. */
  readonly guide?: GuideOnRequest;
  /** What this program is, above the rest of the screens that a person who is new sees first. */
  readonly intro?: Intro;
  readonly children: ReactNode;
};

/** What every screen has: the rail, what is finished, a heading, and the keys that work now. */
export function Screen({
  state,
  heading,
  isSuccess = false,
  bindings,
  typing = false,
  layout: given,
  guide,
  intro,
  children,
}: Props) {
  const [over, setOver] = useState<'calls' | 'keys' | 'guide'>();
  const usualLayout = useUsualLayout();
  const layout = given ?? usualLayout;
  const isLast = useIsLeaving();
  // What is looked at for a moment has the whole of it.
  const isAlone = isLast || over !== undefined;
  const {hasRail, hasReceipts, intro: said} = layout;
  const close: Binding = {keys: ['esc', 'e', 'g', '?', 'enter'], label: 'close', run: () => setOver(undefined)};
  const letters: readonly Binding[] = [
    ...(state.calls.length > 0 ? [{keys: ['e'], label: 'calls', run: () => setOver('calls')}] : []),
    ...(guide === undefined ? [] : [{keys: ['g'], label: 'guide', run: () => setOver('guide')}]),
    {keys: ['?'], label: 'keys', run: () => setOver('keys')},
  ];
  const general = typing ? [] : letters;
  const calls = useCalls(state.calls);
  const steps = useGuide(over === 'guide' ? guide : undefined);
  const ofOverlay = {calls: calls.bindings, guide: steps.bindings, keys: []} as const;
  const own = useScroll({others: [...bindings, ...general], isTyping: typing, isHidden: over !== undefined});
  const overlay = useScroll({of: `${over} ${steps.at}`, ...(over ? {others: [...ofOverlay[over], close]} : {})});
  const active = over ? [...ofOverlay[over], ...overlay.bindings, close] : [...bindings, ...own.bindings, ...general];
  useKeys(active);

  return (
    <Box flexDirection="column">
      <Box flexDirection="column" flexShrink={0}>
        {hasRail && !isAlone ? <Rail state={state} /> : null}
        {hasReceipts && !isAlone ? <Receipts state={state} /> : null}
        {intro === undefined || said === 'none' || isAlone ? null : (
          <Introduction intro={intro} isWhole={said === 'all'} />
        )}
      </Box>
      {/* What does not fit scrolls where nothing else helped: the keys below stay. */}
      <Box flexDirection="column" flexShrink={1} marginY={layout.margin} overflowY={isLast ? 'visible' : 'hidden'}>
        {over === undefined ? null : (
          <Scrolled scroll={overlay}>
            {over === 'calls' ? calls.view : null}
            {over === 'keys' ? <KeyHelp bindings={[...bindings, ...own.bindings, ...general]} /> : null}
            {over === 'guide' ? steps.view : null}
          </Scrolled>
        )}
        {/* Hidden rather than unmounted: what was typed or chosen is there again afterwards. */}
        <Box
          flexDirection="column"
          flexShrink={isLast ? 0 : 1}
          rowGap={layout.gap}
          display={over ? 'none' : 'flex'}
          overflowY={isLast ? 'visible' : 'hidden'}
        >
          <Box flexShrink={0} paddingLeft={2} maxHeight={layout.headingRows} overflowY="hidden">
            {isSuccess ? <Success heading={heading} /> : <Prose bold>{heading}</Prose>}
          </Box>
          <Scrolled scroll={own}>
            <Box flexDirection="column" rowGap={layout.gap}>
              {children}
            </Box>
          </Scrolled>
        </Box>
      </Box>
      <KeyLine bindings={active} {...(over ? {} : {most: layout.keyRows})} />
    </Box>
  );
}

/** Green as a whole where that is legible, else its sign alone. */
function Success({heading}: {readonly heading: string}) {
  const {done} = useGlyphs();
  const isDark = useIsDark();
  return (
    <Prose bold {...(isDark ? {color: color.success} : {})}>
      <Text color={color.success}>{done}</Text> {heading}
    </Prose>
  );
}

/** What this program does and leaves alone, and what it has found; without the latter where rows are few. */
function Introduction({intro: {text, found}, isWhole}: {readonly intro: Intro; readonly isWhole: boolean}) {
  return (
    <Box flexDirection="column" paddingLeft={2} marginTop={1}>
      <Prose>{text}</Prose>
      {isWhole
        ? found.map(([name, value]) => (
            <Text key={name} wrap="truncate">
              {name.padEnd(12)} {value}
            </Text>
          ))
        : null}
    </Box>
  );
}

function Receipts({state}: {readonly state: WizardState}) {
  const {done} = useGlyphs();
  const receipts = receiptsOf(state);
  if (receipts.length === 0) return null;
  return (
    <Box flexDirection="column" paddingLeft={2} marginTop={1}>
      {receipts.map(({label, text}) => (
        <Text key={label} wrap="truncate">
          <Text color={color.success}>{done}</Text> {label.padEnd(12)} {text}
        </Text>
      ))}
    </Box>
  );
}
