import {mockOAuth2Server} from '../setups/mock-oauth2-server.ts';
import {describeProvider} from '../support/describe-provider.ts';

await describeProvider(mockOAuth2Server);
