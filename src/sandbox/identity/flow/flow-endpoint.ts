import {randomUUID} from 'node:crypto';
import {z} from 'zod';
import type {Hooks} from '../../faults/hooks.ts';
import {jsonOf, readBody} from '../../http/body.ts';
import type {Handler} from '../../http/handler.ts';
import {sendJson} from '../../http/reply.ts';
import type {IdentityRelease} from '../../releases/identity-release.ts';
import type {Applications} from '../applications/applications.ts';
import {errorBody, type ProviderError} from '../provider-error.ts';
import type {SigningKey} from '../tokens/signing-key.ts';
import type {User, Users} from '../users.ts';
import {flowProblems as problems} from './flow-problems.ts';
import type {Flow, Flows} from './flows.ts';

export type FlowEndpointOptions = {
  readonly issuer: string;
  readonly key: SigningKey;
  readonly users: Users;
  readonly applications: Applications;
  readonly flows: Flows;
  readonly release: IdentityRelease;
  readonly hooks: Hooks;
};

const requestBody = z.object({
  applicationId: z.string().default(''),
  flowType: z.string().default(''),
  flowId: z.string().optional(),
  executionId: z.string().optional(),
  challengeToken: z.string().optional(),
  inputs: z.record(z.string(), z.string()).default({}),
});

/** Lifetime of an assertion in seconds. */
const assertionValidity = 3600;

/**
 * `POST /flow/execute`, platform access 2.2: signs a person in without a browser, in one step or in several. Every
 * outcome of a well-formed request is a 200; only `assertion` tells that somebody is signed in.
 */
export const flowEndpoint = (options: FlowEndpointOptions): Handler => {
  const {issuer, key, users, applications, flows, release, hooks} = options;
  const {idMember, challenged, afterFailure, reasons, direct} = release.flow;
  const begin = (applicationId: string, flowType: string): Flow | Refused => {
    const application = applications.byId(applicationId);
    if (!application) return refused(400, problems.application);
    if (flowType !== 'AUTHENTICATION') return refused(400, problems.flowType);
    if (direct) return flows.begin(applicationId);
    // Who has a browser is to come through an authorization request (RFC 6749 4.1).
    return application.type === 'mobile' ? refused(400, problems.notDirectOnDevice) : refused(403, problems.notDirect);
  };

  const resume = (id: string, challenge: string | undefined): Flow | Refused => {
    const flow = flows.get(id);
    if (!flow) return refused(400, problems.flow);
    if (challenged && flow.challenge !== undefined && flow.challenge !== challenge) {
      return refused(400, problems.challenge);
    }
    return flow;
  };

  const step = (flow: Flow) => ({
    [idMember]: flow.id,
    ...(challenged && {challengeToken: flow.challenge}),
    flowStatus: 'INCOMPLETE',
    type: 'VIEW',
    data: questions(flow),
  });

  const failed = (flow: Flow, reason: keyof typeof reasons) => {
    const why = release.translatedErrors
      ? {error: errorBody({...problems.credentials, description: reasons[reason]}, release)}
      : {failureReason: reasons[reason]};
    return afterFailure === 'again'
      ? {...step(flow), ...why}
      : {[idMember]: flow.id, flowStatus: 'ERROR', data: {}, ...why};
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
    if (!parsed.success) return sendJson(response, 400, errorBody(problems.payload, release));
    const {applicationId, flowType, challengeToken, inputs} = parsed.data;

    const id = parsed.data[idMember];
    const begun = id === undefined ? begin(applicationId, flowType) : resume(id, challengeToken);
    if ('problem' in begun) return sendJson(response, begun.status, errorBody(begun.problem, release));
    const flow = flows.answer(begun, {...begun.inputs, ...inputs});

    const {username, password} = flow.inputs;
    if (!username || !password) return sendJson(response, 200, step(flow));

    const user = users.authenticate(username, password);
    if (typeof user === 'string') {
      return sendJson(response, 200, failed(flows.answer(flow, {}), user));
    }
    flows.end(flow.id);
    const complete = {[idMember]: flow.id, flowStatus: 'COMPLETE', data: {}, assertion: await assertion(user, flow)};
    sendJson(response, 200, complete, {'Cache-Control': 'no-store'});
  };
};

type Refused = {readonly status: number; readonly problem: ProviderError};

const refused = (status: number, problem: ProviderError): Refused => ({status, problem});

const questions = ({inputs}: Flow) => ({
  inputs: [
    {ref: 'input_001', identifier: 'username', type: 'TEXT_INPUT', required: true},
    {ref: 'input_002', identifier: 'password', type: 'PASSWORD_INPUT', required: true},
  ].filter(({identifier}) => !inputs[identifier]),
  actions: [{ref: 'action_001', nextNode: 'basic_auth'}],
});
