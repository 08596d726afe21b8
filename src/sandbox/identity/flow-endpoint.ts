import {randomUUID} from 'node:crypto';
import {z} from 'zod';
import type {Hooks} from '../faults/hooks.ts';
import {jsonOf, readBody} from '../http/body.ts';
import type {Handler} from '../http/handler.ts';
import {sendJson} from '../http/reply.ts';
import type {Applications} from './applications.ts';
import type {Flow, Flows} from './flows.ts';
import type {SigningKey} from './signing-key.ts';
import type {User, Users} from './users.ts';

export type FlowEndpointOptions = {
  readonly issuer: string;
  readonly key: SigningKey;
  readonly users: Users;
  readonly applications: Applications;
  readonly flows: Flows;
  readonly hooks: Hooks;
};

const requestBody = z.object({
  applicationId: z.string().default(''),
  flowType: z.string().default(''),
  flowId: z.string().optional(),
  inputs: z.record(z.string(), z.string()).default({}),
});

/** Lifetime of an assertion in seconds. */
const assertionValidity = 3600;

/**
 * `POST /flow/execute`, platform access 2.2: signs a person in without a browser, in one step or in several. Every
 * outcome of a well-formed request is a 200; only `assertion` tells that somebody is signed in.
 */
export const flowEndpoint = ({issuer, key, users, applications, flows, hooks}: FlowEndpointOptions): Handler => {
  const begin = (applicationId: string, flowType: string) => {
    if (!applications.byId(applicationId)) return problems.application;
    return flowType === 'AUTHENTICATION' ? flows.begin(applicationId) : problems.flowType;
  };

  const assertion = (user: User, {applicationId, inputs}: Flow) => {
    const now = Date.now();
    const seconds = Math.floor(now / 1000);
    const requested = (inputs.requested_permissions ?? '').split(' ');
    const permissions = user.permissions.filter(permission => requested.includes(permission)).join(' ');
    const claims = {
      assurance: {
        aal: 'AAL1',
        ial: 'IAL1',
        authenticators: [{authenticator: 'CredentialsAuthenticator', step: 1, timestamp: now}],
      },
      aud: applicationId,
      ...(permissions && {authorized_permissions: permissions}),
      exp: seconds + assertionValidity,
      iat: seconds,
      iss: issuer,
      jti: randomUUID(),
      nbf: seconds,
      sub: user.id,
    };
    return key.sign(hooks.tokenClaims(claims, 'assertion'));
  };

  return async (request, response) => {
    const parsed = requestBody.safeParse(jsonOf(await readBody(request)));
    if (!parsed.success) return sendJson(response, 400, problems.payload);
    const {applicationId, flowType, flowId, inputs} = parsed.data;

    const begun = flowId === undefined ? begin(applicationId, flowType) : (flows.get(flowId) ?? problems.flow);
    if ('code' in begun) return sendJson(response, 400, begun);
    const flow = flows.answer(begun, {...begun.inputs, ...inputs});

    const {username, password} = flow.inputs;
    if (!username || !password) return sendJson(response, 200, incomplete(flow));

    const user = users.authenticate(username, password);
    if (typeof user === 'string') {
      flows.answer(flow, {});
      return sendJson(response, 200, {flowId: flow.id, flowStatus: 'ERROR', data: {}, failureReason: reasons[user]});
    }
    flows.end(flow.id);
    const complete = {flowId: flow.id, flowStatus: 'COMPLETE', data: {}, assertion: await assertion(user, flow)};
    sendJson(response, 200, complete, {'Cache-Control': 'no-store'});
  };
};

const incomplete = ({id, inputs}: Flow) => ({
  flowId: id,
  flowStatus: 'INCOMPLETE',
  type: 'VIEW',
  data: {
    inputs: [
      {ref: 'input_001', identifier: 'username', type: 'TEXT_INPUT', required: true},
      {ref: 'input_002', identifier: 'password', type: 'PASSWORD_INPUT', required: true},
    ].filter(({identifier}) => !inputs[identifier]),
    actions: [{ref: 'action_001', nextNode: 'basic_auth'}],
  },
});

const reasons = {
  'wrong-password': 'Failed to authenticate user: The provided credentials are invalid',
  'unknown-user': 'Failed to authenticate user: No user found with the provided attributes',
};

const problem = (code: string, message: string, description: string) => ({code, message, description});

const problems = {
  payload: problem('FES-1001', 'Invalid request payload', 'Failed to decode request payload'),
  application: problem('FES-1003', 'Invalid request', 'Invalid app ID provided in the request'),
  flow: problem('FES-1004', 'Invalid request', 'Invalid flow ID provided in the request'),
  flowType: problem('FES-1005', 'Invalid request', 'Invalid flow type provided in the request'),
};
