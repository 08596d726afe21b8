import {springAuthorizationServer} from '../setups/spring-authorization-server.ts';
import {describeProvider} from '../support/describe-provider.ts';

await describeProvider(springAuthorizationServer);
