/** The entries of AI assistants: which assistants are here, what is written into their files, and whether it works. */
import {lazyFunction} from '../lazy.ts';

export type {Target} from './assistant-entry.ts';
/** One entry: as a client has it and what it is called there, whether one that is there leads where ours does, and to which tools. */
export {entryFor, leadsTo, nameFor, toolsIn} from './assistant-entry.ts';
export type {Disconnected} from './disconnect-assistants.ts';
export type {Disconnection} from './disconnections.ts';
export type {Edited} from './edit-entries.ts';
export type {FoundAssistant} from './find-assistants.ts';
export type {GivenEntry} from './given-entries.ts';
/** What an entry starts and is not there any more. */
export {createGoneProgram} from './gone-program.ts';
export type {EntryStanding} from './inspect-entries.ts';
/** Where entries are now, where an assistant has moved its file. */
export const findMoved = /* @__PURE__ */ lazyFunction(async () => (await import('./moved-entries.ts')).findMoved);

/** Keeps where entries are now, where an assistant has moved its file. */
export const followMoved = /* @__PURE__ */ lazyFunction(async () => (await import('./moved-entries.ts')).followMoved);

export type {Where} from './moved-entries.ts';
/** Where else the assistants of a file look. */
export const otherPlacesOf = /* @__PURE__ */ lazyFunction(
  async () => (await import('./moved-entries.ts')).otherPlacesOf,
);

/** Takes entries of ours out of one file. */
export const removeEntries = /* @__PURE__ */ lazyFunction(
  async () => (await import('./edit-entries.ts')).removeEntries,
);

/** Takes a line of ours out of its ignore file. */
export const removeIgnoreLine = /* @__PURE__ */ lazyFunction(
  async () => (await import('./ignore-lines.ts')).removeIgnoreLine,
);

/** Whose the entries in a file are. */
export {leftAlone, ownershipIn} from './ownership.ts';
export type {InGit, Plan} from './plan-files.ts';
export type {VerifiedServer} from './proof/verify-entries.ts';
/** In which keys an entry is not what this program would write. */
export {foreignKeysIn, namesOf} from './proof/written-entry.ts';
export type {Written} from './write-files.ts';

/** The names of the assistants on this machine, found without starting anything. */
export const assistantsHere = /* @__PURE__ */ lazyFunction(
  async () => (await import('./assistants-here.ts')).assistantsHere,
);

/** Which assistants are here, and how each can be kept signed in. */
export const findAssistants = /* @__PURE__ */ lazyFunction(
  async () => (await import('./find-assistants.ts')).findAssistants,
);

/** What was found, within what an organisation allows. */
export const withinRules = /* @__PURE__ */ lazyFunction(async () => (await import('./within-rules.ts')).withinRules);

/** The entries that an organisation has given the assistants of this machine. */
export const givenEntries = /* @__PURE__ */ lazyFunction(async () => (await import('./given-entries.ts')).givenEntries);

/** Which entries an organisation keeps a client from using. */
export const readRules = /* @__PURE__ */ lazyFunction(async () => (await import('./within-rules.ts')).readRules);

/** Works out how files will change, without changing them. */
export const planFiles = /* @__PURE__ */ lazyFunction(async () => (await import('./plan-files.ts')).planFiles);

/** Writes what was planned, to the byte. */
export const writeFiles = /* @__PURE__ */ lazyFunction(async () => (await import('./write-files.ts')).writeFiles);

/** Reads every entry back, and calls each server the way it says. */
export const verifyEntries = /* @__PURE__ */ lazyFunction(
  async () => (await import('./proof/verify-entries.ts')).verifyEntries,
);

/** Looks through many entries, by the ways that they say. */
export {createEntryTools, type EntryTools} from './proof/entry-tools.ts';

/** How an entry is tried without its client. */
export {asTried} from './proof/list-through.ts';

/** That an organisation keeps a client from using its entries. */
export {blocked} from './within-rules.ts';

/** Takes the entries of a context out of the files of assistants. */
export const disconnectAssistants = /* @__PURE__ */ lazyFunction(
  async () => (await import('./disconnect-assistants.ts')).disconnectAssistants,
);

/** Takes the token out of every entry of an assistant that holds one. */
export const clearTokens = /* @__PURE__ */ lazyFunction(async () => (await import('./edit-entries.ts')).clearTokens);

/** How every entry of a context stands, without network. */
export const inspectEntries = /* @__PURE__ */ lazyFunction(
  async () => (await import('./inspect-entries.ts')).inspectEntries,
);

/** How those stand that an organisation has given. */
export const inspectGiven = /* @__PURE__ */ lazyFunction(
  async () => (await import('./inspect-entries.ts')).inspectGiven,
);

/** The same of many contexts. */
export const inspectContexts = /* @__PURE__ */ lazyFunction(
  async () => (await import('./inspect-entries.ts')).inspectContexts,
);

/** The entries in an assistant's file, as values. */
export const readEntries = /* @__PURE__ */ lazyFunction(async () => (await import('./assistant-file.ts')).readEntries);
