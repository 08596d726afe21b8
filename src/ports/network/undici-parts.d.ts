/** The list of ports that web clients refuse, by its own file: the whole of undici takes long to load. */
declare module 'undici/lib/web/fetch/constants.js' {
  const constants: {readonly badPortsSet: ReadonlySet<string>};
  export default constants;
}
