import {zitadelOidc} from '../setups/zitadel-oidc.ts';
import {describeProvider} from '../support/describe-provider.ts';

await describeProvider(zitadelOidc);
