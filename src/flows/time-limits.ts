/** How long a cluster tool (helm, kubectl) may take, with the plugin by which it signs in, in milliseconds. */
export const TOOL_TIMEOUT = 10_000;

/** The most that a dead host costs where nobody named it, in milliseconds: a quick look, the connection included. */
export const PROBE_TIMEOUT = 1_950;

/**
 * How long the answer to a second, patient look may take, in milliseconds. The time for a name, a tunnel and a connection
 * comes on top.
 */
export const PATIENT_TIMEOUT = 10_000;

/**
 * What lies between two looks at a platform that is there and not ready, in milliseconds: a restart of its control plane is
 * over in seconds.
 */
export const READY_PAUSES: readonly number[] = [1_000, 2_000];

/** How long an assistant may take to say its version, in milliseconds. */
export const VERSION_TIMEOUT = 3_000;

/**
 * The same where its version decides how it is connected and was never heard: the first start of a client, or one on a
 * machine that is busy, takes several seconds.
 */
export const FIRST_VERSION_TIMEOUT = 12_000;

/** How long a helper may take to print its headers, in milliseconds: the assistants wait no longer either. */
export const HELPER_TIMEOUT = 10_000;

/** How long a program that is started anew may take to renew a sign-in, in milliseconds. */
export const RENEWAL_TIMEOUT = 45_000;

/** How long an MCP server may take for everything that is asked of it at once, in milliseconds. */
export const LIST_TIMEOUT = 15_000;

/** How long a port is waited for that a closed connection holds, in milliseconds: as long as the systems hold it. */
export const PORT_TIME = 60_000;

/** How long a role is waited for that is being given just now, in milliseconds. */
export const ROLE_TIME = 60_000;

/** How long another process is waited for that holds a lock, in milliseconds. */
export const LOCK_TIME = 60_000;
