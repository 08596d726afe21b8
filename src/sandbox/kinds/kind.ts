import type {Platform} from '../../platform/platform.ts';
import type {AuthMethod} from '../identity/applications/applications.ts';
import type {Release} from '../releases/release.ts';

export type Person = {
  readonly username: string;
  readonly password: string;
  readonly givenName: string;
  readonly email: string;
  readonly groups: readonly string[];
  /** What a flow may authorize this person for, platform access 2.2. */
  readonly permissions: readonly string[];
};

/** A client that is there from the start. */
export type InstalledClient = {
  readonly name: string;
  readonly description: string;
  readonly clientId: string;
  /** Made anew for each sandbox where it is not known to everybody. */
  readonly clientSecret?: string;
  readonly tokenEndpointAuthMethod: AuthMethod;
  readonly grantTypes: readonly string[];
  readonly redirectUris?: readonly string[];
  /** In seconds, where it is another lifetime than that of all others. */
  readonly accessTokenValidity?: number;
  /** Whether it may do everything from the start. */
  readonly administers?: boolean;
};

/** What an installation comes with. */
export type Installed = {
  /** The first administers the identity provider. */
  readonly people: readonly [Person, ...Person[]];
  readonly clients: readonly InstalledClient[];
  /** The groups of people who may do everything from the start. */
  readonly administrators: readonly string[];
};

/** A platform under its own names: the same services, called otherwise. */
export type Kind = {
  readonly platform: Platform;
  /** What the services call themselves: in `/version` and to MCP clients. */
  readonly names: {readonly controlPlane: string; readonly observer: string};
  /** The `resource_name` of each server (RFC 9728 2). */
  readonly resourceNames: {readonly controlPlane: string; readonly observer: string};
  /** The member of the resource metadata that says whether tokens are asked for. */
  readonly securityMember: string;
  /** Where it is not the release that decides what tools are called. */
  readonly tools?: 'by-name';
  /** What the observer believes its own address to be, where nobody told it. */
  readonly untoldObserverUrl?: string;
  /** Whom it names as its identity provider then: a placeholder, which it goes by nowhere else. */
  readonly untoldAuthority?: string;
  /** What comes with releases in which everybody may do everything, and with those that have roles, by their groups. */
  readonly installed: {readonly [G in 'open' | NonNullable<Release['authorization']>['groups']]: Installed};
};
