/** Putting back what earlier runs wrote. */
import {lazyFunction} from '../lazy.ts';

export type {Run, Undoable, Undone} from './undo-writes.ts';

/** The runs of which something can be put back, the latest first. */
export const undoableRuns = /* @__PURE__ */ lazyFunction(async () => (await import('./undo-writes.ts')).undoableRuns);

/** The run of a number, or all of them as one. */
export const chosenRun = /* @__PURE__ */ lazyFunction(async () => (await import('./undo-writes.ts')).chosenRun);

/** Which files were empty before a run. */
export const emptyBefore = /* @__PURE__ */ lazyFunction(async () => (await import('./undo-writes.ts')).emptyBefore);

/** Out of which files undoing a run takes the entries only. */
export const editedBy = /* @__PURE__ */ lazyFunction(async () => (await import('./undo-writes.ts')).editedBy);

/** Which contexts undoing a run signs out of. */
export const signedOutBy = /* @__PURE__ */ lazyFunction(async () => (await import('./undo-writes.ts')).signedOutBy);

/** Puts back what a run wrote. */
export const undoWrites = /* @__PURE__ */ lazyFunction(async () => (await import('./undo-writes.ts')).undoWrites);
