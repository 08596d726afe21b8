/**
 * Whether names are looked up here for a proxy, which is given addresses.
 *
 * @param proxy as it is shown, or its scheme with a colon
 */
export const isGivenAddresses = (proxy: string): boolean => /^socks[45]:/.test(proxy);
