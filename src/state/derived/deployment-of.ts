import type {Context, Deployment} from '../../domain/context.ts';
import type {Platform} from '../../platform/platform.ts';
import {changed} from '../../platform/platform.ts';
import {platforms} from '../../platform/platforms.ts';
import type {Settings, WizardState} from '../model.ts';

/** Returns the kinds of platform that this run may meet, the usual one first. */
export const kindsOf = ({platform, kinds = [platform]}: Pick<Settings, 'platform' | 'kinds'>): readonly Platform[] =>
  kinds;

/** Returns the kind of platform that this run is about: as it was recognised or saved, else the usual one. */
export const platformOf = ({settings, facts, answers}: WizardState): Platform => {
  const {platform, saved} = settings;
  const isSaved = saved !== undefined && answers.resume !== 'anew' && answers.begun !== 'go-on';
  const there = facts.deployment ?? (isSaved ? saved : undefined);
  const known =
    [...kindsOf(settings), ...platforms].find(one => one.id === there?.platform && !one.changes) ?? platform;
  return there?.descriptor ? changed(known, there.descriptor) : known;
};

/** Returns the Secret in the cluster that holds the certificate authority that the platform may use. */
export const authoritySecretIn = ({settings}: Pick<WizardState, 'settings'>) =>
  kindsOf(settings).find(({cluster}) => cluster.authority)?.cluster.authority;

export const deploymentIn = ({
  platform,
  descriptor,
  baseDomain,
  layout,
  controlPlaneUrl,
  observerUrl,
  authUrl,
  issuer,
  identityProvider,
  release,
}: Context): Deployment => ({
  platform,
  ...(descriptor ? {descriptor} : {}),
  baseDomain,
  layout,
  evidence: 'As saved.',
  controlPlaneUrl,
  ...(observerUrl ? {observerUrl} : {}),
  authUrl,
  issuer,
  ...(identityProvider === undefined ? {} : {identityProvider}),
  ...(release === undefined ? {} : {version: release, versionByPaths: true}),
});

export const deploymentOf = ({facts}: WizardState) => {
  if (!facts.deployment) throw new Error('No step after the search runs without a deployment.');
  return facts.deployment;
};
