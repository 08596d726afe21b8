import {commands} from '../../src/command-line/commands.ts';
import {type FlagName, flags} from '../../src/command-line/flags.ts';

/** Returns the commands of this program that a remedy names, each as its arguments with its flags. */
export const commandsIn = (remedy: string): readonly (readonly string[])[] =>
  remedy
    .split('npx setup')
    .slice(1)
    .map(rest => {
      const tokens = rest.match(/"[^"]*"|[^\s"]+/g) ?? [];
      const end = tokens.findIndex(token => !/^[a-z-]+[.,:;)]?$/.test(token));
      const words = (end < 0 ? tokens : tokens.slice(0, end)).map(token => token.replace(/[.,:;)]$/, ''));
      const line = [...commandIn(words.filter(word => !word.startsWith('-')))];
      const {takes = 0} = commands.find(command => command.words.join(' ') === line.join(' ')) ?? {};
      const most = line.length + Math.min(takes, 2);
      while (line.length > 0 && line.length < most && isArgument(tokens[line.length], tokens[line.length - 1]))
        line.push((tokens[line.length] ?? '').replace(/[.,:;)]$/, ''));
      for (let at = line.length; /^--[a-z-]+/.test(tokens[at] ?? ''); at += 1) {
        const name = (tokens[at] ?? '').replace(/[.,:;)]$/, '');
        line.push(name);
        const flag = flags[name.slice(2) as FlagName];
        if (flag?.type !== 'string') continue;
        at += 1;
        line.push((tokens[at] ?? '').replace(/[.,:;)]$/, '').replaceAll('"', ''));
      }
      return line;
    });

/** Whether a word is an argument of the command before it, and not part of the sentence or the value of a flag. */
const isArgument = (word: string | undefined, before = ''): boolean =>
  word !== undefined && !/[.,:;)]$/.test(before) && !/^-|^(?:again|in|lists|or|says|shows|signs|to)\b/.test(word);

/** The words of the command that these begin with; none for the wizard, which has none. */
const commandIn = (words: readonly string[]): readonly string[] =>
  commands
    .map(command => command.words)
    .filter(known => known.every((word, index) => words[index] === word))
    .toSorted((one, other) => other.length - one.length)[0] ?? [];
