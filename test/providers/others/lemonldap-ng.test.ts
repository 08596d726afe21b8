import {lemonldapNg} from '../setups/lemonldap-ng.ts';
import {describeProvider} from '../support/describe-provider.ts';

await describeProvider(lemonldapNg);
