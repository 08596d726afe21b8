import {oidcProvider} from '../setups/oidc-provider.ts';
import {describeProvider} from '../support/describe-provider.ts';

await describeProvider(oidcProvider);
