/**
 * Runs the tests that use a platform on each of the sandbox's releases in turn, or on those that the arguments name;
 * `npm test` has them run on the documented one. Ends with 1 when a test failed on any of them.
 */
import {spawnSync} from 'node:child_process';
import {releases} from '../src/sandbox/releases/releases.ts';

const known = Object.keys(releases);
const asked = process.argv.slice(2);
const unknown = asked.filter(name => !known.includes(name));
if (unknown.length > 0) {
  console.error(`There is no release ${unknown.join(', ')}. Known: ${known.join(', ')}.`);
  process.exit(2);
}

const failed = (asked.length > 0 ? asked : known).filter(release => {
  console.log(`\nRelease ${release}\n`);
  const args = ['vitest', 'run', '--config', 'vitest.releases.config.ts', '--reporter', 'dot'];
  const {status} = spawnSync('npx', args, {stdio: 'inherit', env: {...process.env, TEST_RELEASE: release}});
  return status !== 0;
});
if (failed.length > 0) {
  console.error(`\nTests failed on ${failed.join(', ')}.`);
  process.exit(1);
}
