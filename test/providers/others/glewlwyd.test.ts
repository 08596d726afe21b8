import {glewlwyd} from '../setups/glewlwyd.ts';
import {describeProvider} from '../support/describe-provider.ts';

await describeProvider(glewlwyd);
