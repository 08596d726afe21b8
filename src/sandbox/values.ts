import {parse} from 'yaml';
import {z} from 'zod';

/** The control plane's configuration values that a sandbox starts with, platform access 2.4. */
export const defaultValues = `security:
  oidc:
    externalClients:
      - name: cli
        client_id: platform-cli
        scopes:
          - openid
          - profile
          - email
`;

const schema = z.object({
  security: z.object({
    oidc: z.object({
      externalClients: z
        .array(z.object({name: z.string().min(1), client_id: z.string().min(1), scopes: z.array(z.string().min(1))}))
        .min(1),
    }),
  }),
});

/** A public client that the control plane tells CLIs of. */
export type ExternalClient = z.infer<typeof schema>['security']['oidc']['externalClients'][number];

/** Reads `security.oidc.externalClients` out of values text (YAML). Throws an Error that says what is wrong with it. */
export const externalClientsOf = (text: string): readonly ExternalClient[] => {
  const result = schema.safeParse(parse(text));
  if (!result.success) throw new Error(`The values cannot be used.\n${z.prettifyError(result.error)}`);
  return result.data.security.oidc.externalClients;
};
