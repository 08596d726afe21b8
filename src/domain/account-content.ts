import {SETUP} from '../setup-command.ts';

/** A component that does not work, with the platform's own word for why. */
export type FailingComponent = {readonly name: string; readonly project: string; readonly status: string};

/** What an account sees of a platform. */
export type AccountContent = {
  readonly projects: number;
  /** Absent if the tools of this connection do not list them. */
  readonly components?: number;
  readonly failing: readonly FailingComponent[];
  /** True if there was more than could be read in time, or if the account may not read all of it. */
  readonly isPartial?: true;
  /** The namespace in which this account can create a project, if there is a tool for that. */
  readonly creatableIn?: string;
};

/** The number of failing components that are named; the rest is counted. */
const MOST_NAMED = 5;

/**
 * Describes what an account sees as a person would, in a sentence or two.
 *
 * @param who the beginning of the sentence: “You”, “Your assistants”
 */
export const describeContent = ({projects, components, failing, isPartial}: AccountContent, who = 'You'): string => {
  if (projects === 0 && !components) return `${who} see no project${isPartial ? '' : ' yet'}.`;
  const within = components === undefined ? '' : ` with ${countOf(components, 'component')}`;
  const counts = `${who} see ${isPartial ? 'at least ' : ''}${countOf(projects, 'project')}${within}`;
  if (failing.length === 0) return !components || isPartial ? `${counts}.` : `${counts}, none of which fails.`;
  const named = failing
    .slice(0, MOST_NAMED)
    .map(({name, project, status}) => `${project === '' ? '' : `${project}/`}${name} (${status})`);
  const rest = failing.length - named.length;
  const all = [...named, ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
  return `${counts}. ${countOf(failing.length, 'component')} ${failing.length === 1 ? 'fails' : 'fail'} on the platform: ${all}.`;
};

/**
 * Returns the command that creates the first project; undefined if there may be a project, or if the account cannot
 * create one.
 */
export const firstProject = ({projects, isPartial, creatableIn}: AccountContent): string | undefined =>
  projects > 0 || isPartial || creatableIn === undefined
    ? undefined
    : `${SETUP} mcp call control-plane create_project namespace_name=${creatableIn} name=my-project`;

const countOf = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
