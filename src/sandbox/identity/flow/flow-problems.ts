import type {ProviderError} from '../provider-error.ts';

const problem = (code: string, message: string, description: string): ProviderError => ({code, message, description});

/**
 * Everything that can be wrong with a request to `/flow/execute`, as the provider says it. Not recorded, and only like
 * the others, are the codes of `challenge` and `credentials`, and the words of `notDirectOnDevice`.
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
