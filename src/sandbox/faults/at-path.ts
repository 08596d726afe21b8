import type {Handler} from '../http/handler.ts';
import {pathOf} from '../http/router.ts';
import type {Wrap} from './effect.ts';

/** Answers one path, and leaves the others to the handler behind. */
export const atPath =
  (path: string, instead: Wrap): Wrap =>
  handler => {
    const answer: Handler = instead(handler);
    return (request, response) => (pathOf(request) === path ? answer : handler)(request, response);
  };
