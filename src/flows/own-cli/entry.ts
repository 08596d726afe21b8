/** The platform's own CLI, which is given the sign-in in its own file. */
import {lazyFunction} from '../lazy.ts';

export type {CliSignIn} from './cli-sign-in.ts';
/** How the CLI is signed in, as it sees that itself. */
export {cliSignIn} from './cli-sign-in.ts';
export type {CliContext, CliValues} from './cli-values.ts';
/** What stands in its file: a context with what it names, the text of a key, and whether two addresses are one server's. */
export {contextIn, isSameServer, textIn} from './cli-values.ts';
export type {OwnCliInput} from './compose-cli.ts';
export type {FoundOwnCli} from './find-own-cli.ts';
export type {PlannedCli} from './plan-own-cli.ts';

/** Whether the CLI is here. */
export const findOwnCli = /* @__PURE__ */ lazyFunction(async () => (await import('./find-own-cli.ts')).findOwnCli);

/** Works out how its file will change, without changing it. */
export const planOwnCli = /* @__PURE__ */ lazyFunction(async () => (await import('./plan-own-cli.ts')).planOwnCli);

/** Writes its file as it was planned. */
export const writeOwnCli = /* @__PURE__ */ lazyFunction(async () => (await import('./write-own-cli.ts')).writeOwnCli);

/** Takes the sign-in of a context out of its file. */
export const clearOwnCli = /* @__PURE__ */ lazyFunction(async () => (await import('./clear-own-cli.ts')).clearOwnCli);

/** Takes a deployment out of its file, as far as this program has entered it. */
export const removeOwnCli = /* @__PURE__ */ lazyFunction(async () => (await import('./clear-own-cli.ts')).removeOwnCli);

/** The lists in the text of its file. */
export const readCliValues = /* @__PURE__ */ lazyFunction(async () => (await import('./read-cli.ts')).readCliValues);
