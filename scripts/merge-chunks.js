import {readFile, rm, writeFile} from 'node:fs/promises';
import {build} from 'esbuild';

/**
 * Merges chunks that are always loaded together into one file. esbuild makes a chunk of whatever a different set of
 * entries shares, some eighty of them before the first frame, and Node takes a fifth of a millisecond or more for
 * each. Code that is loaded later imports from the merged file. Of the chunks only the entries remain, and each
 * re-exports its names.
 *
 * @param directory of the bundle, with a slash at its end
 * @param outputs esbuild's metafile of the bundle: the imports and exports of each file, by its path from the root
 * @param core the name of a merged file, and the entries whose chunks it holds. A command that loads one of them loads the
 * file, so these are the entries of the commands that are to start fastest
 * @param base the name of a second merged file, and the entries whose other chunks it holds, including those that other
 * entries need as well. It imports from the first file
 * @param heavy the name of a third merged file, and the entries that alone need its chunks. It imports from both
 * @param options of the first build that apply to the second as well
 */
export const mergeChunks = async (directory, outputs, {core, base, heavy}, options) => {
  const others = staticClosure(outputs, entriesBesides(outputs, heavy.entries));
  const inCore = staticClosure(outputs, core.entries);
  const heavyFiles = staticClosure(outputs, heavy.entries).filter(file => !others.includes(file));
  const shared = staticClosure(outputs, [...base.entries, ...heavy.entries]).filter(file => others.includes(file));
  const coreFiles = shared.filter(file => inCore.includes(file));
  const baseFiles = shared.filter(file => !inCore.includes(file));
  const moved = new Map([
    ...(await merge(directory, core.name, coreFiles, [], outputs, options)),
    ...(await merge(directory, base.name, baseFiles, coreFiles, outputs, options)),
    ...(await merge(directory, heavy.name, heavyFiles, shared, outputs, options)),
  ]);
  const rest = Object.keys(outputs).map(file => file.split('/').at(-1));
  await Promise.all(rest.filter(name => !moved.has(name)).map(name => importDirectly(`${directory}${name}`, moved)));
  // No file imports these any more. Files that are loaded on demand have the name of their entry.
  const unused = [...shared, ...heavyFiles].filter(file => !outputs[file].entryPoint);
  await Promise.all(unused.map(file => rm(`${directory}${file.split('/').at(-1)}`)));
};

/** Returns the file that holds a name of a merged chunk, and its name there. */
const place = (moved, chunk, name) => {
  const {file, names} = moved.get(chunk);
  const as = names.get(name);
  if (as === undefined) throw new Error(`${chunk} gives no ${name}.`);
  return {file, as};
};

/**
 * Makes a file import from the merged file instead of the chunk that re-exports it, which would be one more file to
 * load.
 */
const importDirectly = async (path, moved) => {
  const text = await readFile(path, 'utf8');
  const direct = text
    .replaceAll(/\bimport\{([^}]*)\}from"\.\/([^"]+\.js)"/g, (all, names, chunk) => {
      if (!moved.has(chunk)) return all;
      const {file} = moved.get(chunk);
      const pairs = names.split(',').map(pair => {
        const [one, local = one] = pair.split(' as ');
        return `${place(moved, chunk, one).as} as ${local}`;
      });
      return `import{${pairs}}from"./${file}"`;
    })
    .replaceAll(/\bimport"\.\/([^"]+\.js)"/g, (all, chunk) =>
      moved.has(chunk) ? `import"./${moved.get(chunk).file}"` : all,
    );
  if (direct !== text) await writeFile(path, direct);
};

const entriesBesides = (outputs, these) =>
  Object.values(outputs).flatMap(({entryPoint}) => (entryPoint && !these.includes(entryPoint) ? [entryPoint] : []));

/** Returns the entries and all their imports, with the imported files first. */
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

/**
 * @param merged files that only re-export names now: imports from them are redirected to the merged file
 * @returns for each chunk the file that holds it now, and the names there
 */
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
  return files.map((file, at) => [
    names.get(file),
    {file: `${name}.js`, names: new Map(exported[at].map(({one, as}) => [one, as]))},
  ]);
};
