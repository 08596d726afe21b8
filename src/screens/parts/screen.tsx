import {Box} from 'ink';
import {type ReactNode, useState} from 'react';
import type {GuideOnRequest, Header, Intro} from '../../state/view/view.ts';
import {useCalls} from './calls.tsx';
import {type Binding, KeyHelp, KeyLine, useKeys} from './keys.tsx';
import {Rail, type ScreenLayout, useUsualLayout} from './layout.tsx';
import {useIsLeaving} from './leave.tsx';
import {useGuide} from './provider-guide.tsx';
import {Prose, Text} from './safe-text.tsx';
import {Scrolled, useScroll} from './scroll.tsx';
import {color, useGlyphs, useIsDark} from './theme.ts';

type Props = {
  readonly header: Header;
  readonly heading: string;
  /** True if the heading says that everything went well. */
  readonly isSuccess?: boolean;
  readonly bindings: readonly Binding[];
  /** Identifies the content: other content starts at its own first row. */
  readonly of?: string | undefined;
  /** True while a person types text: letters are then text, not shortcuts. */
  readonly typing?: boolean;
  /** How the screen shares out the rows, if it has much content. */
  readonly layout?: ScreenLayout;
  /** The guide for registering the client that this screen is about, shown on request. */
  readonly guide?: GuideOnRequest;
  /** The introduction above the first screens of a new user. */
  readonly intro?: Intro;
  readonly children: ReactNode;
};

/** Shows what every screen has: the rail, the finished steps, a heading, and the keys that work now. */
export function Screen({
  header,
  heading,
  isSuccess = false,
  bindings,
  of,
  typing = false,
  layout: measured,
  guide,
  intro,
  children,
}: Props) {
  const [over, setOver] = useState<'calls' | 'keys' | 'guide'>();
  const usualLayout = useUsualLayout();
  const layout = measured ?? usualLayout;
  const isLast = useIsLeaving();
  // An overlay gets the whole screen.
  const isAlone = isLast || over !== undefined;
  const {hasRail, hasReceipts, intro: shownIntro} = layout;
  const close: Binding = {keys: ['esc', 'e', 'g', '?', 'enter'], label: 'close', run: () => setOver(undefined)};
  const letters: readonly Binding[] = [
    ...(header.calls.length > 0 ? [{keys: ['e'], label: 'calls', run: () => setOver('calls')}] : []),
    ...(guide === undefined ? [] : [{keys: ['g'], label: 'guide', run: () => setOver('guide')}]),
    {keys: ['?'], label: 'keys', run: () => setOver('keys')},
  ];
  const general = typing ? [] : letters;
  const calls = useCalls(header.calls);
  const steps = useGuide(over === 'guide' ? guide : undefined);
  const ofOverlay = {calls: calls.bindings, guide: steps.bindings, keys: []} as const;
  const own = useScroll({of, others: [...bindings, ...general], isTyping: typing, isHidden: over !== undefined});
  const overlay = useScroll({of: `${over} ${steps.at}`, ...(over ? {others: [...ofOverlay[over], close]} : {})});
  const active = over ? [...ofOverlay[over], ...overlay.bindings, close] : [...bindings, ...own.bindings, ...general];
  useKeys(active);

  return (
    <Box flexDirection="column">
      <Box flexDirection="column" flexShrink={0}>
        {hasRail && !isAlone ? <Rail header={header} /> : null}
        {hasReceipts && !isAlone ? <Receipts receipts={header.receipts} /> : null}
        {intro === undefined || shownIntro === 'none' || isAlone ? null : (
          <Introduction intro={intro} isWhole={shownIntro === 'all'} />
        )}
      </Box>
      {/* Content that does not fit in spite of everything scrolls, and the keys below it stay. */}
      <Box flexDirection="column" flexShrink={1} marginY={layout.margin} overflowY={isLast ? 'visible' : 'hidden'}>
        {over === undefined ? null : (
          <Scrolled scroll={overlay}>
            {over === 'calls' ? calls.view : null}
            {over === 'keys' ? <KeyHelp bindings={[...bindings, ...own.bindings, ...general]} /> : null}
            {over === 'guide' ? steps.view : null}
          </Scrolled>
        )}
        {/* Hidden rather than unmounted, so that what was typed or chosen is there again afterwards. */}
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

/** Shows the heading all in green if that is legible, else only its sign. */
function Success({heading}: {readonly heading: string}) {
  const {done} = useGlyphs();
  const isDark = useIsDark();
  return (
    <Prose bold {...(isDark ? {color: color.success} : {})}>
      <Text color={color.success}>{done}</Text> {heading}
    </Prose>
  );
}

/** Shows what this program does and leaves alone, and what it has found; the latter only if there are enough rows. */
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

function Receipts({receipts}: Pick<Header, 'receipts'>) {
  const {done} = useGlyphs();
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
