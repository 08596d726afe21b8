import type {CommandHandler} from '../command-line/command.ts';
import {widthOf} from '../command-line/output/format-table.ts';
import {nearest} from '../command-line/parse-flags.ts';
import {remedyText, whoseTurn} from '../errors/describe-error.ts';
import {errorCodes, rowOf} from '../errors/error-table.ts';
import {type ErrorCode, SetupError} from '../errors/errors.ts';
import {phrase, setup} from '../errors/remedy.ts';
import {verdictOnCode} from '../errors/verdict.ts';
import {explanationOfCheck} from '../flows/diagnosis/check-explanations.ts';
import {SETUP} from '../setup-command.ts';
import {linesOf} from '../text.ts';

/** `setup explain [CODE]`: explains what a code means, why it happens and how to fix it; without a code, lists all. */
export const runExplain: CommandHandler = async ({flags, args: [code], terminal}) => {
  const {stdout} = terminal;
  const part = (heading: string, text: string) => `${heading}\n${indented(text, widthOf(terminal))}`;
  if (code === undefined) {
    if (flags.json) stdout.writeJson({codes: errorCodes.map(one => ({code: one, ...documentOf(one)}))});
    else stdout.write(listing());
    return;
  }
  const known = errorCodes.find(one => one === code);
  const check = known ? undefined : await explanationOfCheck(code);
  if (known) {
    const {means, why, remedy, exitCode} = documentOf(known);
    const verdict = `${verdictOnCode(known)}.`;
    if (flags.json) stdout.writeJson({code: known, ...documentOf(known)});
    else
      stdout.write(
        `${[
          `${known}: ${verdict}`,
          ...(means === verdict ? [] : [part('What it means', means)]),
          part('Why it happens', why),
          part('How to fix it', remedy),
          `${whoseTurn(known)} Exit code ${exitCode}.`,
        ].join('\n\n')}\n`,
      );
  } else if (check) {
    if (flags.json) stdout.writeJson({code, ...check});
    else
      stdout.write(
        `${[`${code}: ${check.name}`, part('What it means', check.means), part('How to fix it', check.remedy)].join('\n\n')}\n`,
      );
  } else {
    const meant = await nearest(code, errorCodes);
    throw new SetupError('input-invalid', `There is no code ${code}.`, {
      remedy: [
        ...(meant ? [phrase`Did you mean ${setup('explain', meant)}?`] : []),
        phrase`See all of them with ${setup('explain')}.`,
      ],
    });
  }
};

/** Indents a sentence below a heading, broken between words in a terminal. */
const indented = (text: string, width: number | undefined): string =>
  (width === undefined ? [text] : linesOf(text, Math.max(20, width - 3))).map(line => `  ${line}`).join('\n');

const documentOf = (code: ErrorCode) => {
  const {name, means, why, whose, exit: exitCode} = rowOf(code);
  return {name, means, why, remedy: remedyText(new SetupError(code, '')), whose, exitCode};
};

const listing = (): string => {
  const width = Math.max(...errorCodes.map(code => code.length));
  const rows = errorCodes.map(code => `  ${code.padEnd(width)}  ${rowOf(code).name}`);
  return `Codes\n${rows.join('\n')}\n\nEach is explained: ${SETUP} explain network-refused\n`;
};
