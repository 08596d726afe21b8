import type {IncomingMessage, ServerResponse} from 'node:http';
import {jsonOf, readBody} from '../../http/body.ts';
import {sendJson, sendNothing} from '../../http/reply.ts';
import type {Routes} from '../../http/router.ts';
import type {IdentityRelease} from '../../releases/identity-release.ts';
import {errorBody, type ProviderError} from '../provider-error.ts';
import {applicationBody, applicationSummary} from './application-body.ts';
import {applicationProblems} from './application-problems.ts';
import {type ApplicationDraft, draftApplication} from './application-request.ts';
import type {Applications} from './applications.ts';
import {fromSpelling, toSpelling} from './spelling.ts';

const options = 'OPTIONS';

/** `/applications`, platform access 4.1: what an administrator creates clients with. Whoever gets here may use it all. */
export const applicationsRoutes = (applications: Applications, issuer: string, release: IdentityRelease): Routes => {
  const {spelling, ownIssuer, listed} = release.applications;
  const refuse = (response: ServerResponse, status: number, problem: ProviderError) =>
    sendJson(response, status, errorBody(problem, release));
  const show = (response: ServerResponse, status: number, {application, secret}: ApplicationDraft) => {
    const body = applicationBody(application, ownIssuer ? issuer : undefined, secret);
    sendJson(response, status, toSpelling(body, spelling), secret === undefined ? {} : noStore);
  };
  const bodyOf = async (request: IncomingMessage) => fromSpelling(jsonOf(await readBody(request)), spelling);
  const context = {applications, issuer, ownIssuer};
  return {
    '/applications': {
      GET: (_, response) => {
        const all = applications.list();
        const ordered = listed === 'by-name' ? all.toSorted((one, other) => (one.name < other.name ? -1 : 1)) : all;
        const summaries = ordered.map(one => toSpelling(applicationSummary(one), spelling));
        sendJson(response, 200, {totalResults: summaries.length, count: summaries.length, applications: summaries});
      },
      POST: async (request, response) => {
        const draft = draftApplication(await bodyOf(request), context);
        if ('code' in draft) return refuse(response, 400, draft);
        applications.put(draft.application);
        show(response, 201, draft);
      },
      [options]: (_, response) => sendNothing(response, 204, {Allow: 'GET, HEAD, OPTIONS, POST'}),
    },
    // The provider knows this path, but takes nothing on it: a slash too many is not forgiven.
    '/applications/': {
      [options]: (_, response) => sendNothing(response, 204, {Allow: 'OPTIONS'}),
    },
    '/applications/{id}': {
      GET: (_, response, {id = ''}) => {
        const application = applications.byId(id);
        if (!application) return refuse(response, 404, applicationProblems.notFound);
        show(response, 200, {application, secret: undefined});
      },
      PUT: async (request, response, {id = ''}) => {
        const existing = applications.byId(id);
        const body = await bodyOf(request);
        if (!existing) return refuse(response, 404, applicationProblems.notFound);
        const draft = draftApplication(body, {...context, existing});
        if ('code' in draft) return refuse(response, 400, draft);
        applications.put(draft.application);
        show(response, 200, draft);
      },
      DELETE: (_, response, {id = ''}) => {
        applications.delete(id);
        sendNothing(response, 204);
      },
      [options]: (_, response) => sendNothing(response, 204, {Allow: 'DELETE, GET, HEAD, OPTIONS, PUT'}),
    },
  };
};

/** For answers that show a secret. */
const noStore = {'Cache-Control': 'no-store'};
