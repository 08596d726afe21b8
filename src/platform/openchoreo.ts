import {bundled} from './bundled.ts';
import type {Platform} from './platform.ts';

/** OpenChoreo 0.14: the bundled platform under its own names, with Thunder as the identity provider. */
export const openchoreo: Platform = {
  ...bundled,
  id: 'openchoreo',
  localBaseDomain: 'openchoreo.localhost',
  labels: {...bundled.labels, 'identity-provider': 'thunder'},
  cliClient: {...bundled.cliClient, clientId: 'openchoreo-cli'},
  ownCli: {name: 'occ', configPath: ['.openchoreo', 'config']},
  externalClientsKey: 'openchoreo_clients',
  cluster: {
    release: 'openchoreo-control-plane',
    namespace: 'openchoreo-control-plane',
    identityProviderRoute: 'thunder-openchoreo',
  },
};
