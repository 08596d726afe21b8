import {allAssistants} from '../../assistants/catalogue/all.ts';
import {bearerIn} from '../../assistants/connection.ts';
import {type Outcome, summaryOf} from '../../domain/finding.ts';
import {secretsIn} from '../../domain/secret.ts';
import {signInsOf} from '../../domain/tokens.ts';
import {SetupError} from '../../errors/errors.ts';
import type {Ports} from '../../ports/ports.ts';
import {createRedactor} from '../../ports/redact.ts';
import {readEntries} from '../assistants/assistant-file.ts';
import type {Machine, Subject} from './check.ts';
import {verdictOf} from './diagnose.ts';

type Input = {
  readonly outcomes: readonly Outcome[];
  /** Absent if the saved config could not be read, so that nothing says which deployment is meant. */
  readonly subject?: Subject;
  readonly machine: Pick<Machine, 'version' | 'node'>;
  /** The time of the report, in ISO 8601. */
  readonly at: string;
};

/** The beginning of every report. */
const HEAD = '# Diagnostics of ';

/** Whether a text is a report: only then may another report replace its file. */
const isReport = (text: string): boolean => text.startsWith(HEAD);

/**
 * Writes a report, after checking that it contains no secret. Replaces an existing file only if that is a report.
 *
 * @param path absolute, or relative to the current directory
 * @throws SetupError `input-invalid` if the file is not a report, `local-report-unsafe`, `local-write-failed`
 */
export const saveReport = async (path: string, input: Omit<Input, 'at'>, ports: Ports): Promise<void> => {
  const found = await ports.files.read(path);
  if (found && !isReport(found.bytes.toString('utf8'))) {
    throw new SetupError('input-invalid', `${path} already exists and is not a report. Choose another file.`, {
      remedy: '',
    });
  }
  const text = reportOf({...input, at: new Date(ports.clock.now()).toISOString()});
  await requireHarmless(text, input.subject, ports);
  await ports.files.write(path, text, {mode: 0o600, journal: false});
};

/** Returns the report as Markdown, for people, with the same contents as JSON in it, for programs. */
export const reportOf = ({outcomes, subject, machine, at}: Input): string => {
  const counts = summaryOf(outcomes);
  const verdict = verdictOf(outcomes, subject?.context?.contact);
  const failed = outcomes.filter(({verdict}) => verdict === 'fail' || verdict === 'warning');
  return `${[
    `${HEAD}${subject?.context?.name ?? subject?.controlPlaneUrl ?? 'this machine'}`,
    `**${verdict.sentence}.**`,
    ...(verdict.handOn === undefined ? [] : [verdict.handOn]),
    `${at}, platform-setup ${machine.version}, Node ${machine.node}: ${counts}.`,
    ...(subject ? [addressesOf(subject)] : []),
    ...failed.map(({title, saw, sentence = saw, remedy, verdict}) =>
      [
        `## ${title}: ${verdict}`,
        sentence,
        ...(saw === sentence ? [] : [`Seen: ${saw}`]),
        ...(remedy ? [`What to do: ${remedy}`] : []),
      ].join('\n\n'),
    ),
    `## Every check\n\n| check | verdict | seen | ms |\n|---|---|---|---|\n${outcomes
      .map(({title, verdict, saw, ms}) => `| ${title} | ${verdict} | ${saw.replaceAll('|', '\\|')} | ${ms} |`)
      .join('\n')}`,
    `## The same as JSON\n\n\`\`\`json\n${JSON.stringify({at, version: machine.version, verdict, outcomes}, null, 2)}\n\`\`\``,
  ].join('\n\n')}\n`;
};

const addressesOf = ({controlPlaneUrl, observerUrl, authUrl}: Subject): string =>
  `- Control plane: ${controlPlaneUrl}\n- Observer: ${observerUrl ?? 'none'}\n- Identity provider: ${authUrl}`;

/**
 * Refuses a text that contains a secret: one that this program knows, or anything in the form of a token. Every report
 * passes through here before it is written.
 *
 * @throws SetupError `local-report-unsafe`
 */
export const requireHarmless = async (text: string, subject: Subject | undefined, ports: Ports): Promise<void> => {
  const redactor = createRedactor();
  const {contexts} = await ports.config.read().catch(() => ({contexts: []}));
  for (const secret of secretsIn(subject?.unsaved)) redactor.learn(secret.reveal());
  for (const context of contexts) {
    for (const signIn of signInsOf(context)) {
      const stored = await ports.credentials.get(signIn).catch(() => undefined);
      for (const secret of [stored?.accessToken, stored?.refreshToken, stored?.clientSecret]) redactor.learn(secret);
    }
    for (const {assistant: id, path, names} of context.entries ?? []) {
      const assistant = allAssistants.find(one => one.id === id);
      const present = assistant ? await readEntries(assistant, path, ports).catch(() => ({})) : {};
      for (const name of names) {
        redactor.learn(bearerIn(assistant?.entry.read((present as Record<string, unknown>)[name])));
      }
    }
  }
  if (redactor.holdsSecret(text)) {
    throw new SetupError('local-report-unsafe', 'The report would hold a secret, so it was not written.');
  }
};
