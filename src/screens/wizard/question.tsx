import {Box} from 'ink';
import {useState} from 'react';
import type {WizardEvent} from '../../state/events.ts';
import type {Ending, FormView, Header, Intro, Offer, QuestionView} from '../../state/view/view.ts';
import {Blocks, partsOfBlocks, rowsOfBlocks, usePrintBinding} from '../parts/blocks.tsx';
import {ChoiceList, useChoice, useChoiceRows} from '../parts/choice.tsx';
import type {Binding} from '../parts/keys.tsx';
import {rowsOf, useFit} from '../parts/layout.tsx';
import {Prose, Warning} from '../parts/safe-text.tsx';
import {Screen} from '../parts/screen.tsx';
import {useScroll} from '../parts/scroll.tsx';
import {useSize} from '../parts/size.tsx';
import {AskText, NOTHING_TYPED, TextField, useTextField} from '../parts/text-field.tsx';
import {useGlyphs} from '../parts/theme.ts';
import type {Memory} from './memory.ts';

export type Leave = (how: Ending) => void;

type Props = {
  readonly header: Header;
  readonly question: QuestionView;
  readonly dispatch: (event: WizardEvent) => void;
  readonly leave: Leave;
  readonly back: readonly Binding[];
  readonly intro?: Intro;
  /** The choice is kept here under the question's name, for when the person comes back to it. */
  readonly memory?: Memory;
  readonly name?: string;
};

/** A question with its offers. If an offer needs a text or another choice first, a screen of its own asks for that. */
export function Question({header, question, dispatch, leave, back, intro, memory, name = ''}: Props) {
  const {failed} = useGlyphs();
  const {isTrouble, about = [], offers} = question;
  const heading = isTrouble ? `${failed} ${question.heading}` : question.heading;
  // The lines that belong to the question, which can be printed for copying.
  const printable = about.flatMap(block => (block.type === 'failure' && block.block ? [block.block] : []))[0];
  const [inner, setInner] = useState<Offer>();
  /** What was typed for an offer before the person went back, by the label of the offer. */
  const [typed, setTyped] = useState<ReadonlyMap<string, string>>(new Map());
  const scroll = useScroll({others: OTHERS, isToBeRead: offers.some(({afterReading}) => afterReading !== undefined)});
  const isTooEarly = ({afterReading}: Offer) => afterReading !== undefined && !scroll.isRead;
  const take = (offer: Offer) => {
    if (isTooEarly(offer)) return;
    memory?.keep(name, offer.label);
    if ('event' in offer) dispatch(offer.event);
    else if ('leave' in offer) leave(offer.leave);
    else setInner(offer);
  };
  // The offer keeps its place and its number while it cannot be taken yet, and says what has to come first. It keeps its
  // hint too: a hint that came later could hide lines again.
  const options = offers.map(offer => ({
    value: offer,
    label: isTooEarly(offer) ? `${offer.afterReading} (first read on: ${scroll.on})` : offer.label,
    ...hintOf(offer),
  }));
  const lastChosen = isTrouble ? undefined : offers.find(({label}) => label === memory?.recall(name));
  const initial = lastChosen ?? offers[question.initial];
  const choice = useChoice(options, take, {
    initial: Math.max(0, initial ? offers.indexOf(initial) : 0),
    isPending: question.isPending === true,
  });
  const {at} = choice;
  const printing = usePrintBinding(printable);
  const print = choice.filter.isOpen ? [] : printing;
  const shortcuts: readonly Binding[] = choice.filter.isOpen
    ? []
    : offers.flatMap(offer =>
        offer.shortcut ? [{keys: [offer.shortcut.key], label: offer.shortcut.label, run: () => take(offer)}] : [],
      );
  const scrolling = choice.filter.isOpen ? [] : scroll.bindings;
  const bindings = [...choice.bindings, ...shortcuts, ...scrolling, ...print, ...back];
  const {columns} = useSize();
  const below = question.below?.(at);
  const list = useChoiceRows(choice);
  const parts = partsOfBlocks(about) + 1 + (below === undefined ? 0 : 1);
  // The screen adds this key for offers with a guide. It is always counted, so that the layout stays as the person
  // moves.
  const guideKey = question.guide ? [{keys: ['g'], label: 'guide', run: () => {}}] : [];
  const layoutFor = useFit(header, heading, [...bindings, ...guideKey], intro);
  const shared = (hasRoom: boolean) => {
    const needed = {
      about: rowsOfBlocks(about, columns, hasRoom),
      list,
      below: below === undefined ? 0 : rowsOf(below, columns),
    };
    return {hasRoom, needed, layout: layoutFor({rows: needed.about + needed.list + needed.below, parts})};
  };
  // Lines to copy can be printed, so they are left out before anything scrolls.
  const whole = shared(true);
  const {hasRoom, needed, layout} = whole.layout.fits ? whole : shared(false);
  const room = shareOut(layout.room, needed);
  const close = () => setInner(undefined);
  if (inner && 'ask' in inner) {
    const {label} = inner;
    const before = typed.get(label) || undefined;
    const isSuggested = inner.isSuggested === true && before === undefined;
    const initial = before ?? inner.initial;
    return (
      <AskText
        header={header}
        heading={label}
        label={inner.ask}
        initial={initial}
        isSuggested={isSuggested}
        isSubmitted={initial !== '' && !isSuggested}
        {...(inner.validate ? {validate: inner.validate} : {})}
        onCancel={text => {
          setTyped(new Map([...typed, [label, text]]));
          close();
        }}
        onSubmit={text => dispatch(inner.toEvent(text))}
      />
    );
  }
  if (inner && 'which' in inner) {
    const here: Binding = {keys: ['esc'], label: 'back', run: close};
    const which: QuestionView = {type: 'question', heading: inner.which, offers: inner.offers, initial: 0};
    return <Question header={header} question={which} dispatch={dispatch} leave={leave} back={[here]} />;
  }
  const guide = question.guide?.(at);
  return (
    <Screen
      header={header}
      heading={heading}
      bindings={bindings}
      typing={choice.filter.isOpen}
      layout={layout}
      {...(guide === undefined ? {} : {guide})}
      {...(intro === undefined ? {} : {intro})}
    >
      <Blocks blocks={about} room={room.about} scroll={scroll} gap={layout.gap} hasRoom={hasRoom} />
      <ChoiceList choice={choice} room={room.list} />
      {below === undefined || room.below < needed.below ? null : (
        <Box paddingLeft={2}>
          <Prose>{below}</Prose>
        </Box>
      )}
    </Screen>
  );
}

/** The keys that the list uses, which therefore do not scroll. */
const OTHERS: readonly Binding[] = [{keys: ['up', 'k', 'down', 'j', 'pgdn', 'pgup'], run: () => {}}];

type Shares = {readonly about: number; readonly list: number; readonly below: number};

/** The list keeps this many rows, if the terminal has them, however long the text above it is. */
const LEAST_LIST = 4;

/**
 * Shares out the rows. If not everything fits, the list gets at most the largest of three: half of the rows,
 * `LEAST_LIST`, and what the text above leaves.
 */
const shareOut = (room: number, {about, list, below}: Shares): Shares => {
  if (about + list + below <= room) return {about, list, below};
  const forList = Math.min(list, Math.max(room - about, Math.min(LEAST_LIST, room), Math.floor(room / 2)));
  const left = room - forList;
  return {about: Math.min(about, left), list: forList, below: below <= left - about ? below : 0};
};

const hintOf = ({hint}: Offer) => (hint === undefined ? {} : {hint});

type CredentialsProps = {
  readonly header: Header;
  readonly form: FormView;
  readonly onSubmit: (name: string, secret: string) => void;
  readonly back: readonly Binding[];
};

/** A form for a name and its secret. The secret is masked, and goes to `onSubmit` and nowhere else. */
export function Credentials({header, form, onSubmit, back}: CredentialsProps) {
  const {heading, explanation, name, secret} = form;
  const [at, setAt] = useState<'name' | 'secret'>(name.isKnown ? 'secret' : 'name');
  const nameField = useTextField(name.isKnown ? name.initial : '', {
    isActive: at === 'name',
    suggestion: name.isKnown || name.initial === '' ? undefined : name.initial,
  });
  const secretField = useTextField('', {secret: true, isActive: at === 'secret'});
  const [typedName, typedSecret] = [nameField.text.trim(), secretField.text];
  const [missing, setMissing] = useState<'name' | 'secret'>();
  const submit = () => {
    const empty = typedName === '' ? 'name' : typedSecret === '' ? 'secret' : undefined;
    // A person who moves from the name to the secret has not yet had the chance to type the secret.
    setMissing(empty === at ? empty : undefined);
    if (typedName === '') setAt('name');
    else if (at === 'name' || typedSecret === '') setAt('secret');
    else onSubmit(typedName, typedSecret);
  };
  const isMissing = missing === at && (at === 'name' ? typedName : typedSecret) === '';
  // Tab leads to the secret and never away from it: a password manager types the secret after Tab, and it must not
  // become visible. If the name is known, the manager has typed it into the secret field, which is emptied.
  const tab = () => {
    if (at === 'secret' && typedSecret === typedName) secretField.put('');
    setAt('secret');
  };
  const bindings: readonly Binding[] = [
    {keys: ['enter'], label: 'continue', run: submit},
    {keys: ['up', 'down', 'shift-tab'], label: 'other field', run: () => setAt(at === 'name' ? 'secret' : 'name')},
    {keys: ['tab'], run: tab},
    ...(at === 'secret'
      ? [{keys: ['ctrl-r'], label: secretField.masked ? 'show' : 'hide', run: secretField.toggleMask}]
      : []),
    ...back,
  ];
  return (
    <Screen header={header} heading={heading} bindings={bindings} typing>
      <Box paddingLeft={2}>
        <Prose>{explanation}</Prose>
      </Box>
      <TextField label={name.label} field={nameField} isActive={at === 'name'} />
      <TextField label={secret.label} field={secretField} isActive={at === 'secret'} />
      {isMissing ? <Warning message={NOTHING_TYPED} /> : null}
    </Screen>
  );
}
