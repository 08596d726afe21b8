import {randomBytes, randomUUID} from 'node:crypto';
import {z} from 'zod';
import type {Hooks} from '../fault-effects.ts';
import {type Handler, jsonOf, readBody, sendJson} from '../http-server.ts';
import type {IdentityRelease} from '../releases/release.ts';
import type {Applications} from './applications.ts';
import {errorBody, type ProviderError} from './applications-api.ts';
import type {User, Users} from './initial-applications.ts';
import type {SigningKey} from './issued-tokens.ts';

/** The sign-in of one person to one application, step by step. */
export type AuthenticationFlow = {
  readonly id: string;
  readonly applicationId: string;
  /** The answers so far. A password is removed once it was tried. */
  readonly inputs: Readonly<Record<string, string>>;
  /** The token that the next step has to send back, if steps are chained; undefined before the first step. */
  readonly challenge?: string;
};

export type Flows = {
  begin(applicationId: string, id?: string): AuthenticationFlow;
  get(id: string): AuthenticationFlow | undefined;
  /** Stores the answers, and issues another challenge for the next step. */
  answer(flow: AuthenticationFlow, inputs: AuthenticationFlow['inputs']): AuthenticationFlow;
  end(id: string): void;
};

/** The number of flows that are kept. Older ones are considered abandoned. */
const MOST_FLOWS = 1000;

export const createFlows = (): Flows => {
  const flows = new Map<string, AuthenticationFlow>();
  const put = (flow: AuthenticationFlow) => {
    flows.set(flow.id, flow);
    for (const id of flows.keys()) if (flows.size > MOST_FLOWS) flows.delete(id);
    return flow;
  };
  return {
    begin: (applicationId, id = randomUUID()) => put({id, applicationId, inputs: {}}),
    get: id => flows.get(id),
    answer: (flow, inputs) => put({...flow, inputs, challenge: randomBytes(24).toString('base64url')}),
    end(id) {
      flows.delete(id);
    },
  };
};

const problem = (code: string, message: string, description: string): ProviderError => ({code, message, description});

/**
 * Every error of a request to `/flow/execute`, in the provider's words. Three parts were not recorded, but modelled on
 * the others: the codes of `challenge` and `credentials`, and the text of `notDirectOnDevice`.
 */
export const flowProblems = {
  payload: problem('FES-1001', 'Invalid request payload', 'Failed to decode request payload'),
  application: problem('FES-1003', 'Invalid request', 'Invalid app ID provided in the request'),
  flow: problem('FES-1004', 'Invalid request', 'Invalid flow ID provided in the request'),
  flowType: problem('FES-1005', 'Invalid request', 'Invalid flow type provided in the request'),
  challenge: problem('FES-1009', 'Invalid request', 'Invalid challenge token provided in the request'),
  notDirect: problem(
    'FES-1010',
    'Direct flow initiation not permitted',
    'Direct flow initiation is not permitted for this application type',
  ),
  notDirectOnDevice: problem(
    'FES-1016',
    'Invalid request',
    'Flow initiation for this application type needs an attestation of the application',
  ),
  credentials: problem('FES-2001', 'Authentication failed', 'Invalid credentials provided'),
};

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
 * `POST /flow/execute` (platform access 2.2): signs a person in without a browser, in one step or several. Every step
 * of a flow is answered with 200, even a wrong password; only the presence of `assertion` means that the person is
 * signed in. A request that can neither begin nor continue a flow gets 400 or 403.
 */
export const flowEndpoint = (options: FlowEndpointOptions): Handler => {
  const {issuer, key, users, applications, flows, release, hooks} = options;
  const {idMember, challenged, afterFailure, reasons, direct} = release.flow;
  const begin = (applicationId: string, flowType: string): AuthenticationFlow | Refused => {
    const application = applications.byId(applicationId);
    if (!application) return refused(400, flowProblems.application);
    if (flowType !== 'AUTHENTICATION') return refused(400, flowProblems.flowType);
    if (direct) return flows.begin(applicationId);
    // A client with a browser must use an authorization request (RFC 6749 4.1).
    return application.type === 'mobile'
      ? refused(400, flowProblems.notDirectOnDevice)
      : refused(403, flowProblems.notDirect);
  };

  const resume = (id: string, challenge: string | undefined): AuthenticationFlow | Refused => {
    const flow = flows.get(id);
    if (!flow) return refused(400, flowProblems.flow);
    if (challenged && flow.challenge !== undefined && flow.challenge !== challenge) {
      return refused(400, flowProblems.challenge);
    }
    return flow;
  };

  const step = (flow: AuthenticationFlow) => ({
    [idMember]: flow.id,
    ...(challenged && {challengeToken: flow.challenge}),
    flowStatus: 'INCOMPLETE',
    type: 'VIEW',
    data: questions(flow),
  });

  const failed = (flow: AuthenticationFlow, reason: keyof typeof reasons) => {
    const why = release.translatedErrors
      ? {error: errorBody({...flowProblems.credentials, description: reasons[reason]}, release)}
      : {failureReason: reasons[reason]};
    return afterFailure === 'again'
      ? {...step(flow), ...why}
      : {[idMember]: flow.id, flowStatus: 'ERROR', data: {}, ...why};
  };

  const assertion = (user: User, {applicationId, inputs}: AuthenticationFlow) => {
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
    if (!parsed.success) return sendJson(response, 400, errorBody(flowProblems.payload, release));
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

const questions = ({inputs}: AuthenticationFlow) => ({
  inputs: [
    {ref: 'input_001', identifier: 'username', type: 'TEXT_INPUT', required: true},
    {ref: 'input_002', identifier: 'password', type: 'PASSWORD_INPUT', required: true},
  ].filter(({identifier}) => !inputs[identifier]),
  actions: [{ref: 'action_001', nextNode: 'basic_auth'}],
});
