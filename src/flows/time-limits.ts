/**
 * How long git or a cluster tool (helm, kubectl) may take, in milliseconds. For a cluster tool, this includes the
 * plugin with which it signs in.
 */
export const TOOL_TIMEOUT = 10_000;

/**
 * The longest time that a dead host costs if nobody named it, in milliseconds: a quick probe, including the connection.
 */
export const PROBE_TIMEOUT = 1_950;

/**
 * How long the answer to a second probe may take, in milliseconds. The time for the name, a tunnel and the
 * connection is added to it.
 */
export const SECOND_PROBE_TIMEOUT = 10_000;

/**
 * The pauses between probes of a platform that is there but not ready, in milliseconds: its control plane restarts
 * within seconds.
 */
export const READY_PAUSES: readonly number[] = [1_000, 2_000];

/** How long an assistant may take to print its version, in milliseconds. */
export const VERSION_TIMEOUT = 3_000;

/**
 * How long an assistant may take if its version is unknown and decides how it is connected, in milliseconds: its first
 * start, or a start on a busy machine, takes several seconds.
 */
export const FIRST_VERSION_TIMEOUT = 12_000;

/** How long a helper may take to print its headers, in milliseconds: the assistants do not wait longer either. */
export const HELPER_TIMEOUT = 10_000;

/** How long a newly started program may take to renew a sign-in, in milliseconds. */
export const RENEWAL_TIMEOUT = 45_000;

/** How long an MCP server may take for all requests of one session together, in milliseconds. */
export const LIST_TIMEOUT = 15_000;

/** How long to wait for a port that a closed connection holds, in milliseconds: operating systems hold it that long. */
export const PORT_TIME = 60_000;

/** How long to wait for a role that is being given, in milliseconds. */
export const ROLE_TIME = 60_000;

/** How long to wait for another process that holds a lock, in milliseconds. */
export const LOCK_TIME = 60_000;
