import {djangoOAuthToolkit} from '../setups/django-oauth-toolkit.ts';
import {describeProvider} from '../support/describe-provider.ts';

await describeProvider(djangoOAuthToolkit);
