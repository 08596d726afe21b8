import type {Effect} from './effect.ts';

/** A name that is good inside of the cluster only, as when the provider was never told its address from outside. */
export const wrongIssuer: Effect = {
  metadata: metadata => ({...metadata, issuer: 'http://identity-provider.internal:8090'}),
};
