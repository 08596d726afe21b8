import type {ProviderError} from '../provider-error.ts';

const problem = (code: string, message: string, description: string): ProviderError => ({code, message, description});

/** Everything that can be wrong with a request to `/applications`, as the provider says it. */
export const applicationProblems = {
  notFound: problem('APP-1001', 'Application not found', 'The requested application could not be found'),
  name: problem('APP-1004', 'Invalid application name', 'The provided application name is invalid or empty'),
  grantType: problem('APP-1010', 'Invalid grant type', 'One or more provided grant types are invalid'),
  authMethod: problem(
    'APP-1013',
    'Invalid token endpoint authentication method',
    'The provided token endpoint authentication method is invalid',
  ),
  format: problem('APP-1018', 'Invalid request format', 'The request body is malformed or contains invalid data'),
  duplicateName: problem('APP-1020', 'Application already exists', 'An application with the same name already exists'),
  duplicateClientId: problem(
    'APP-1021',
    'Application with client ID already exists',
    'An application with the same client ID already exists',
  ),
  publicService: problem(
    'APP-1024',
    'Invalid OAuth configuration',
    "client_credentials grant type cannot use 'none' authentication method",
  ),
  noRedirectUri: problem(
    'APP-1024',
    'Invalid OAuth configuration',
    'authorization_code grant type requires redirect URIs',
  ),
};

export type ApplicationProblem = ProviderError;
