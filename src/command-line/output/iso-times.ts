/** The fields of events that are times: inside the program milliseconds since the epoch. */
const times: ReadonlySet<string> = new Set(['until', 'expiresAt', 'signInEndsAt']);

/**
 * The same with its times as programs get them everywhere: as texts in ISO 8601, in UTC. Durations stay numbers.
 *
 * @param value one of our own; what a server said is not for us to change
 */
export const withIsoTimes = <Value extends object>(value: Value): {readonly [K in keyof Value]: unknown} =>
  Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      times.has(key) && typeof one === 'number' ? new Date(one).toISOString() : one,
    ]),
  ) as {readonly [K in keyof Value]: unknown};
