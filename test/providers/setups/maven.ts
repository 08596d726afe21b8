import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {onPath} from '../../cluster/support/tools.ts';
import {type Installed, installed} from '../support/cache.ts';
import {run} from '../support/program.ts';

/** A library of Maven Central by its coordinates. Without a version, another artifact determines it. */
type Artifact = {readonly group: string; readonly artifact: string; readonly version?: string};

/** Installs the classes of a library and its dependencies below `lib`, then does the remaining steps. */
export const installLibraries = async (
  name: string,
  libraries: readonly Artifact[],
  parent?: Artifact,
  then: (directory: string) => Promise<void> = async () => {},
): Promise<Installed> => {
  for (const tool of ['java', 'javac', 'mvn']) {
    if (onPath(tool) === undefined) return {missing: `${tool} is not on PATH`};
  }
  return installed(name, async directory => {
    writeFileSync(join(directory, 'pom.xml'), projectOf(libraries, parent));
    const lib = join(directory, 'lib');
    await run('mvn', ['-q', '-B', 'dependency:copy-dependencies', `-DoutputDirectory=${lib}`], {cwd: directory});
    await then(directory);
  });
};

const coordinates = ({group, artifact, version}: Artifact): string =>
  [
    `<groupId>${group}</groupId><artifactId>${artifact}</artifactId>`,
    version === undefined ? '' : `<version>${version}</version>`,
  ].join('');

const projectOf = (libraries: readonly Artifact[], parent: Artifact | undefined): string =>
  [
    '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>',
    parent ? `<parent>${coordinates(parent)}</parent>` : '',
    '<groupId>test</groupId><artifactId>provider</artifactId><version>1</version><dependencies>',
    ...libraries.map(library => `<dependency>${coordinates(library)}</dependency>`),
    '</dependencies></project>',
  ].join('\n');
