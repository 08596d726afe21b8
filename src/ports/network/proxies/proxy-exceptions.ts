import {BlockList, isIP, isIPv6} from 'node:net';

/**
 * Whether an address goes past the proxy, as curl reads NO_PROXY: names and everything below them, with or without a dot
 * in front, `*` for all; addresses and networks in CIDR; each with a port where only that one is meant.
 *
 * @param list the variable's value, parted by commas or blanks
 */
export const isException = (url: URL, list: string): boolean => {
  const host = withoutBrackets(url.hostname).replace(/\.$/, '');
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return list
    .split(/[,\s]+/)
    .filter(Boolean)
    .some(entry => {
      const {name, port: only} = parse(entry.toLowerCase());
      return (only === undefined || only === port) && isMatch(host, name);
    });
};

const withoutBrackets = (host: string) => host.replace(/^\[([^\]]*)\]/, '$1');

/** A port stands behind brackets, or behind the only colon. */
const parse = (entry: string): {name: string; port?: string} => {
  const [, name, port] = /^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(entry) ?? [];
  return name === undefined || port === undefined
    ? {name: withoutBrackets(entry)}
    : {name: withoutBrackets(name), port};
};

const isMatch = (host: string, name: string): boolean => {
  if (name === '*') return true;
  if (isIP(host) !== 0) return isIn(host, name);
  const bare = name.replace(/^\*?\./, '').replace(/\.$/, '');
  return bare !== '' && (host === bare || host.endsWith(`.${bare}`));
};

const isIn = (address: string, network: string): boolean => {
  const [, base = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(network) ?? [];
  const kind = isIP(base);
  if (kind === 0) return false;
  const most = kind === 6 ? 128 : 32;
  const prefix = bits === undefined ? most : Number(bits);
  if (prefix > most) return false;
  const list = new BlockList();
  list.addSubnet(base, prefix, kind === 6 ? 'ipv6' : 'ipv4');
  return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
};
