import {jsonOf, readBody} from '../http/body.ts';
import {sendJson, sendNothing} from '../http/reply.ts';
import type {Routes} from '../http/router.ts';
import {applicationBody, applicationSummary} from './application-body.ts';
import {applicationProblems} from './application-problems.ts';
import {draftApplication} from './application-request.ts';
import type {Applications} from './applications.ts';

const options = 'OPTIONS';

/** `/applications`, platform access 4.1: what an administrator creates clients with. Whoever gets here may use it all. */
export const applicationsRoutes = (applications: Applications, issuer: string): Routes => ({
  '/applications': {
    GET: (_, response) => {
      const summaries = applications.list().map(applicationSummary);
      sendJson(response, 200, {totalResults: summaries.length, count: summaries.length, applications: summaries});
    },
    POST: async (request, response) => {
      const draft = draftApplication(jsonOf(await readBody(request)), {applications, issuer});
      if ('code' in draft) return sendJson(response, 400, draft);
      applications.put(draft.application);
      sendJson(response, 201, applicationBody(draft.application, issuer, draft.secret), noStore);
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
      if (!application) return sendJson(response, 404, applicationProblems.notFound);
      sendJson(response, 200, applicationBody(application, issuer, undefined));
    },
    PUT: async (request, response, {id = ''}) => {
      const existing = applications.byId(id);
      const body = jsonOf(await readBody(request));
      if (!existing) return sendJson(response, 404, applicationProblems.notFound);
      const draft = draftApplication(body, {applications, issuer, existing});
      if ('code' in draft) return sendJson(response, 400, draft);
      applications.put(draft.application);
      sendJson(response, 200, applicationBody(draft.application, issuer, draft.secret), noStore);
    },
    DELETE: (_, response, {id = ''}) => {
      applications.delete(id);
      sendNothing(response, 204);
    },
    [options]: (_, response) => sendNothing(response, 204, {Allow: 'DELETE, GET, HEAD, OPTIONS, PUT'}),
  },
});

/** For answers that show a secret. */
const noStore = {'Cache-Control': 'no-store'};
