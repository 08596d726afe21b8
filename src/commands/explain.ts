import type {CommandHandler} from '../command-line/command.ts';
import {nearest} from '../command-line/parse-flags.ts';
import {type ErrorCode, errorCodes, SetupError} from '../errors/errors.ts';
import {explanations, remedyOf} from '../errors/explanations/explanations.ts';
import {whoseTurn} from '../errors/explanations/whose-turn.ts';
import {explanationOfCheck} from '../flows/diagnosis/entry.ts';

/** `setup explain [CODE]`: what a code means, why it comes about and how it is mended; without a code, all of them. */
export const runExplain: CommandHandler = async ({flags, args: [code], terminal: {stdout}}) => {
  if (code === undefined) {
    if (flags.json) stdout.writeJson({codes: errorCodes.map(one => ({code: one, ...documentOf(one)}))});
    else stdout.write(listing());
    return;
  }
  const known = errorCodes.find(one => one === code);
  const check = known ? undefined : await explanationOfCheck(code);
  if (known) {
    const {name, means, why, remedy, exitCode} = documentOf(known);
    if (flags.json) stdout.writeJson({code: known, ...documentOf(known)});
    else
      stdout.write(
        `${known}: ${name}\n\nWhat it means\n  ${means}\n\nWhy it happens\n  ${why}\n\nHow to fix it\n  ${remedy}\n\n${whoseTurn(known)} Exit code ${exitCode}.\n`,
      );
  } else if (check) {
    if (flags.json) stdout.writeJson({code, ...check});
    else
      stdout.write(`${code}: ${check.name}\n\nWhat it means\n  ${check.means}\n\nHow to fix it\n  ${check.remedy}\n`);
  } else {
    const meant = await nearest(code, errorCodes);
    throw new SetupError('input-invalid', `There is no code ${code}.`, {
      remedy: `${meant ? `Did you mean npx setup explain ${meant}? ` : ''}npx setup explain lists all of them.`,
    });
  }
};

const documentOf = (code: ErrorCode) => {
  const {exitCode, whose} = new SetupError(code, '');
  return {...explanations[code], remedy: remedyOf(code), whose, exitCode};
};

const listing = (): string => {
  const width = Math.max(...errorCodes.map(code => code.length));
  const rows = errorCodes.map(code => `  ${code.padEnd(width)}  ${explanations[code].name}`);
  return `Codes\n${rows.join('\n')}\n\nEach is explained: npx setup explain network-refused\n`;
};
