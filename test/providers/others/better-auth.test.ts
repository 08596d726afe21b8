import {betterAuth} from '../setups/better-auth.ts';
import {describeProvider} from '../support/describe-provider.ts';

await describeProvider(betterAuth);
