import {canaille} from '../setups/canaille.ts';
import {describeProvider} from '../support/describe-provider.ts';

await describeProvider(canaille);
