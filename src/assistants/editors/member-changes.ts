import {isRecord} from '../../domain/written-entry.ts';
import {isSameValue} from '../../json.ts';

/** One change of a member in an entry, by the keys that lead to it; without a value it goes. */
export type MemberChange = {readonly path: readonly string[]; readonly value?: unknown};

/** What has to change in an entry, member by member: what goes first, then what is replaced, then what is added. */
export const memberChanges = (
  present: Readonly<Record<string, unknown>>,
  wanted: Readonly<Record<string, unknown>>,
  above: readonly string[] = [],
): readonly MemberChange[] => {
  const gone: MemberChange[] = [];
  const replaced: MemberChange[] = [];
  const added: MemberChange[] = [];
  for (const [key, value] of Object.entries(present)) {
    const path = [...above, key];
    if (!Object.hasOwn(wanted, key)) gone.push({path});
    else if (isFilled(value) && isFilled(wanted[key])) replaced.push(...memberChanges(value, wanted[key], path));
    else if (!isSameValue(value, wanted[key])) replaced.push({path, value: wanted[key]});
  }
  for (const [key, value] of Object.entries(wanted)) {
    if (!Object.hasOwn(present, key)) added.push({path: [...above, key], value});
  }
  return [...gone, ...replaced, ...added];
};

/** Whether two entries have a member in common, so that one can be made out of the other. */
export const haveCommonMembers = (present: unknown, wanted: object): boolean =>
  isRecord(present) && Object.keys(wanted).some(key => Object.hasOwn(present, key));

const isFilled = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isRecord(value) && Object.keys(value).length > 0;
