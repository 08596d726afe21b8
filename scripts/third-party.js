// Files that accompany a bundle: the licences of its contents, and its bill of materials.
import {execFile} from 'node:child_process';
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';

const mit = holder => `MIT License

${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
`;

/** The licences of packages that name one in their package.json but lack its text. */
const missingTexts = {
  'am-i-vibing': mit('Copyright (c) Matt Kane'),
  'process-ancestry': mit('Copyright (c) Matt Kane'),
  'koa-compose': mit('Copyright (c) 2013 TJ Holowaychuk'),
  'yoga-layout': mit('Copyright (c) Meta Platforms, Inc. and affiliates.'),
};

/**
 * Writes `sbom.cdx.json` (CycloneDX 1.6, JSON) and `THIRD_PARTY_LICENSES`. The same bundle gives the same bytes of
 * both.
 *
 * @param metafiles esbuild's, for each part of the bundle, with paths relative to `root`
 * @param directory for the two files
 * @throws Error if the licence of a package in the bundle is not known
 */
export const writeThirdParty = async (metafiles, {root, directory}) => {
  const sbom = join(directory, 'sbom.cdx.json');
  await writeSbom(metafiles, {root, sbom});
  const bom = JSON.parse(await readFile(sbom, 'utf8'));
  const {components} = bom;
  await writeFile(join(directory, 'THIRD_PARTY_LICENSES'), licencesOf(components));
  // The package contains both files: the texts of the licences are in the other one, and programs read this one without
  // its indentation.
  const named = components.map(({evidence: _, ...component}) => component);
  await writeFile(sbom, JSON.stringify({...bom, components: named}));
};

/** Whether an input is a file, and not the stand-in of `deferred-builtins.js` for a module of Node. */
const isFile = path => !path.startsWith('deferred-builtin:');

const writeSbom = async (metafiles, {root, sbom}) => {
  const temporary = await mkdtemp(join(tmpdir(), 'platform-setup-sbom-'));
  try {
    const metafile = join(temporary, 'metafile.json');
    const merged = {inputs: {}, outputs: {}};
    for (const {inputs, outputs} of metafiles) {
      Object.assign(merged.inputs, inputs);
      for (const [path, output] of Object.entries(outputs)) {
        const files = Object.entries(output.inputs).filter(([input]) => isFile(input));
        merged.outputs[path] = {...output, inputs: Object.fromEntries(files)};
      }
    }
    await writeFile(metafile, JSON.stringify(merged));
    const generator = fileURLToPath(import.meta.resolve('@cyclonedx/cyclonedx-esbuild')).replace(
      /dist\/.*/,
      'bin/cyclonedx-esbuild-cli.js',
    );
    const options = [
      '--gather-license-texts',
      '--output-reproducible',
      '--spec-version',
      '1.6',
      '--build-working-dir',
      root,
    ];
    await promisify(execFile)(process.execPath, [generator, ...options, '--output-file', sbom, metafile]);
  } finally {
    await rm(temporary, {recursive: true, force: true});
  }
};

/** Makes one section for each version of a package: a bundle can contain two, for two packages that depend on it. */
const licencesOf = components => {
  const sections = new Map();
  for (const component of components) {
    const name = component.group ? `${component.group}/${component.name}` : component.name;
    const title = `${name} ${component.version} (${identifierOf(component)})`;
    const texts = (component.evidence?.licenses ?? []).map(({license}) =>
      Buffer.from(license.text.content, 'base64').toString('utf8'),
    );
    if (texts.length === 0 && missingTexts[name]) texts.push(missingTexts[name]);
    if (texts.length === 0) throw new Error(`${title} comes without the text of its licence. Add it to missingTexts.`);
    sections.set(title, texts.map(text => text.replaceAll('\r\n', '\n').trim()).join('\n\n'));
  }
  const line = '-'.repeat(80);
  return (
    [
      'This program contains the packages below, each under the licence that follows its name.',
      ...[...sections].map(([title, text]) => `${line}\n${title}\n${line}\n\n${text}`),
    ].join('\n\n') + '\n'
  );
};

const identifierOf = ({name, licenses = []}) => {
  const found = licenses.map(({license, expression}) => expression ?? license.id ?? license.name);
  if (found.length === 0) throw new Error(`${name} does not say under which licence it is.`);
  return found.join(' AND ');
};
