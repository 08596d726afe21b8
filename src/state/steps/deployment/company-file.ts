import {SetupError} from '../../../errors/errors.ts';
import type {Company} from '../../../platform/company-file.ts';
import {leavesOf} from '../../../platform/platform.ts';
import {companyFileIn} from '../../derived/wizard-deployment.ts';
import {answered} from '../../events.ts';
import type {WizardState} from '../../model.ts';
import {type AskStep, asks} from '../../step.ts';
import type {Block, Receipt} from '../../view/view.ts';

/** Shows what the company file says, and asks whether to use it. Skipped if there is no company file. */
export const companyFile = {
  id: 'company-file',
  stage: 'deployment',
  kind: 'ask',
  title: 'Use this company file?',
  flag: '--platform',
  when: state => companyFileIn(state) !== undefined,
  done: ({answers}) => answers.company !== undefined,
  forgets: asks('company'),
  ask: state => ({
    type: 'question',
    heading: `Use the company file of ${fileIn(state).company.name}?`,
    about: aboutFile(state),
    offers: [
      {label: 'Use it', hint: 'The wizard suggests what it says.', event: answered(used(state))},
      {
        label: 'Go on without it',
        hint: 'The platform is set up like any other.',
        event: answered({company: 'without'}),
      },
    ],
    initial: 0,
  }),
  // A person who named the file wants it. A file that was found is not needed if the platform was found without it.
  defaultAnswer: (state, yes) => {
    if (state.settings.companyFile === fileIn(state)) return used(state);
    const {deployment, deploymentChoices} = state.facts;
    if (deployment || deploymentChoices) return {company: 'without'};
    return yes ? used(state) : undefined;
  },
  inputRequired: state => {
    const {source} = fileIn(state);
    return new SetupError(
      'input-required',
      `No platform answers at the usual names, but the company file at ${source} lists others.`,
      {
        remedy: `Pass --platform ${source} to use that company file.`,
        about: {flag: 'platform'},
      },
    );
  },
  receipts: (state): readonly Receipt[] =>
    state.answers.company === 'use' ? [{label: 'Company file', text: fileIn(state).source}] : [],
} satisfies AskStep;

const fileIn = (state: WizardState) => {
  const file = companyFileIn(state);
  if (!file) throw new Error('It is asked where there is a company file.');
  return file;
};

/** The company file may lead to other addresses. So the answer includes `addresses`, which starts the search again. */
const used = ({answers: {addresses = {}}}: WizardState) => ({company: 'use', addresses}) as const;

const aboutFile = (state: WizardState): readonly Block[] => {
  const {source, company} = fileIn(state);
  return [
    {type: 'text', text: `It comes from ${source}.`, tone: 'dim'},
    {type: 'table', rows: [...rowsOf(company), ...changesOf(company)]},
    ...[othersOf(company), suggestionsOf(company)].flatMap(text =>
      text === '' ? [] : [{type: 'text', text} as const],
    ),
  ];
};

type Row = readonly [name: string, value: string];

const rowsOf = ({baseDomain, contact, documentation}: Company): readonly Row[] => [
  ['Base domain', baseDomain],
  ...(contact === undefined ? [] : [['Contact', contact] as const]),
  ...documentation.map(({title, url}) => [title, url] as const),
];

/** The fields that a person can check, with their names on the screen. */
const names: Readonly<Record<string, string>> = {
  'labels.control-plane': 'Control plane',
  'labels.identity-provider': 'Identity provider',
  'labels.observer': 'Observer',
  'ports.gateway': 'Gateway port',
  'ports.observer.single': 'Observer port',
  'ports.observer.multi': 'Observer port (multi-cluster)',
  'cliClient.clientId': 'CLI client',
  'cliClient.scopes': 'Scopes',
  callbackUrl: 'Redirect URL',
  'mcpServers.controlPlane': 'Control plane entry',
  'mcpServers.observability': 'Observer entry',
};

const leavesIn = ({platform: {changes = {}}}: Company) => {
  const {name: _, localBaseDomain: __, ...own} = changes;
  return leavesOf(own);
};

const changesOf = (company: Company): readonly Row[] =>
  leavesIn(company).flatMap(({path, value}): readonly Row[] => {
    const name = names[path];
    const text = Array.isArray(value) ? value.join(' ') : String(value);
    return name === undefined ? [] : [[name, path.startsWith('labels.') ? `${text}.${company.baseDomain}` : text]];
  });

const othersOf = (company: Company): string => {
  const others = leavesIn(company).flatMap(({path}) => (path in names ? [] : [path]));
  return others.length > 0 ? `It also changes ${others.join(', ')}.` : '';
};

const suggestionsOf = ({defaults}: Company): string => {
  const values = Object.entries(defaults).map(([key, value]) => `${called[key] ?? key} ${[value].flat().join(', ')}`);
  return values.length > 0 ? `It suggests ${values.join('; ')}.` : '';
};

const called: Readonly<Record<string, string>> = {signIn: 'sign-in'};
