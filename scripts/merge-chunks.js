import {writeFile} from 'node:fs/promises';
import {build} from 'esbuild';

/**
 * Puts chunks that are always loaded together into one file. esbuild makes a chunk of whatever a different set of entries
 * shares, some sixty of them before the first frame, and Node takes a fifth of a millisecond and more for each. The chunks
 * stay, each as the names that it gives on from that file, for whatever is loaded later and imports from them.
 *
 * @param directory of the bundle, with a slash at its end
 * @param outputs esbuild's metafile of it: what each file imports and exports, by its path from the root
 * @param base the name of a file, and the entries whose chunks it holds: whatever other entries may need of them as well
 * @param heavy the name of another, and the entries that alone need what it holds; it imports from the former
 * @param options of the first build that hold for the second as well
 */
export const mergeChunks = async (directory, outputs, {base, heavy}, options) => {
  const others = staticClosure(outputs, entriesBesides(outputs, heavy.entries));
  const heavyFiles = staticClosure(outputs, heavy.entries).filter(file => !others.includes(file));
  const baseFiles = staticClosure(outputs, [...base.entries, ...heavy.entries]).filter(file => others.includes(file));
  await merge(directory, base.name, baseFiles, [], outputs, options);
  await merge(directory, heavy.name, heavyFiles, baseFiles, outputs, options);
};

const entriesBesides = (outputs, these) =>
  Object.values(outputs).flatMap(({entryPoint}) => (entryPoint && !these.includes(entryPoint) ? [entryPoint] : []));

/** The entries and all that they import, what is imported first. */
const staticClosure = (outputs, entries) => {
  const found = new Set();
  const visit = file => {
    if (found.has(file) || !outputs[file]) return;
    for (const {path, kind} of outputs[file].imports) if (kind === 'import-statement') visit(path);
    found.add(file);
  };
  const paths = Object.keys(outputs).filter(path => entries.includes(outputs[path].entryPoint));
  if (paths.length !== entries.length) throw new Error(`Not every entry of ${entries} is in the bundle.`);
  for (const path of paths) visit(path);
  return [...found];
};

/** @param merged files that are names given on already: whoever imports from them is led to where these are */
const merge = async (directory, name, files, merged, outputs, options) => {
  const names = new Map(files.map(file => [file, file.split('/').at(-1)]));
  const exported = files.map(file =>
    outputs[file].exports.map((one, at) => ({one, as: `${names.get(file).replaceAll(/\W/g, '_')}_${at}`})),
  );
  const listing = pairs => pairs.join(', ');
  const contents = files
    .map((file, at) => {
      const path = JSON.stringify(`./${names.get(file)}`);
      return `import ${path}; export {${listing(exported[at].map(({one, as}) => `${one} as ${as}`))}} from ${path};`;
    })
    .join('\n');
  const inside = new Set([...names.values(), ...merged.map(file => file.split('/').at(-1))]);
  await build({
    ...options,
    stdin: {contents, resolveDir: directory, sourcefile: `all-of-${name}.js`},
    outfile: `${directory}${name}.js`,
    plugins: [
      {
        name: 'chunks-beside',
        setup: ({onResolve}) =>
          onResolve({filter: /^\.\/[^/]+\.js$/}, ({path, kind}) =>
            kind === 'dynamic-import' || !inside.has(path.slice(2)) ? {path, external: true} : undefined,
          ),
      },
    ],
  });
  await Promise.all(
    files.map((file, at) => {
      const pairs = exported[at].map(({one, as}) => `${as} as ${one}`);
      return writeFile(`${directory}${names.get(file)}`, `export {${listing(pairs)}} from './${name}.js';\n`);
    }),
  );
};
