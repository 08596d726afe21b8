/**
 * Modules of Node that take a good part of a millisecond or more to load, and that most commands never use. Measured in
 * milliseconds on an idle machine: crypto 3.8, zlib 1.9, v8 1.5, readline 0.8, dns/promises 0.4.
 */
const deferred = /^node:(?:crypto|zlib|v8|readline|dns\/promises)$/;

/**
 * An esbuild plugin: `import` of these modules loads them when one of their functions is first called, not at the start.
 * A function or class is replaced by a proxy, which stands for it in calls, in `new` and in `instanceof`. Any other
 * export is read at the start if something imports it.
 */
export const deferredBuiltins = {
  name: 'deferred-builtins',
  setup: ({onResolve, onLoad}) => {
    onResolve({filter: deferred}, ({path, kind}) =>
      kind === 'import-statement' ? {path, namespace: 'deferred-builtin'} : undefined,
    );
    onLoad({filter: /./, namespace: 'deferred-builtin'}, async ({path}) => {
      const entries = Object.entries(await import(path)).filter(([name]) => name !== 'default');
      const exported = entries.map(([name, value]) =>
        typeof value === 'function'
          ? `export const ${name} = /* @__PURE__ */ later('${name}');`
          : `export const ${name} = /* @__PURE__ */ read('${name}');`,
      );
      return {contents: [helpers(path), ...exported, defaultExport].join('\n'), loader: 'js'};
    });
  },
};

const helpers = path => `
let loaded;
const read = name => (loaded ??= process.getBuiltinModule('${path}'))[name];
const later = name =>
  new Proxy(function () {}, {
    apply: (_, self, args) => Reflect.apply(read(name), self, args),
    construct: (_, args) => Reflect.construct(read(name), args),
    get: (_, key) => read(name)[key],
  });
`;

const defaultExport = 'export default /* @__PURE__ */ new Proxy({}, {get: (_, name) => read(name)});';
