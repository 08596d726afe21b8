/** Where a connection leads in the end: a name, or an address without brackets. */
export type Target = {readonly host: string; readonly port: number};

export const targetOf = (url: URL): Target => ({
  host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
  port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
});

/** Host and port as they are written together (RFC 3986 3.2). */
export const authorityOf = ({host, port}: Target): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;
