/** The fields of events that are times. Inside the program they are milliseconds since the epoch. */
const times: ReadonlySet<string> = new Set(['until', 'expiresAt', 'signInEndsAt']);

/**
 * Returns the value with its times as all programs get them: texts in ISO 8601, in UTC. Durations stay numbers.
 *
 * @param value one of this program's own; values from a server must not be changed
 */
export const withIsoTimes = <Value extends object>(value: Value): {readonly [K in keyof Value]: unknown} =>
  Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      times.has(key) && typeof one === 'number' ? new Date(one).toISOString() : one,
    ]),
  ) as {readonly [K in keyof Value]: unknown};
