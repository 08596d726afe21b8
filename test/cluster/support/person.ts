import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {stringify} from 'yaml';
import {locationsInCluster} from '../../../src/flows/deployment/platform-locations.ts';
import type {FlowEvent} from '../../../src/flows/flow.ts';
import {openchoreo} from '../../../src/platform/platforms.ts';
import {noSignal} from '../../support/flows.ts';
import {portsIn, temporaryDirectory} from '../../support/place.ts';

type Kube = {
  /** The server of the current context. */
  readonly server: string;
  /** The lines of a shell script that signs the person in. */
  readonly plugin?: readonly string[];
};

/**
 * Sets up a person whose current kube context leads to a server, and returns the ports, with the tools on this PATH.
 */
export const personWith = async (path: string, {server, plugin}: Kube, env: Readonly<Record<string, string>> = {}) => {
  const home = await temporaryDirectory();
  const kubeconfig = join(home, 'kubeconfig');
  const command = join(home, 'plugin');
  if (plugin) await writeFile(command, ['#!/bin/sh', ...plugin, ''].join('\n'), {mode: 0o755});
  const exec = {apiVersion: 'client.authentication.k8s.io/v1', command, interactiveMode: 'Never'};
  const config = {
    ...{apiVersion: 'v1', kind: 'Config', 'current-context': 'work'},
    clusters: [{name: 'work', cluster: {server, 'insecure-skip-tls-verify': true}}],
    users: [{name: 'ann', user: plugin ? {exec} : {token: 'of-ann'}}],
    contexts: [{name: 'work', context: {cluster: 'work', user: 'ann'}}],
  };
  await writeFile(kubeconfig, stringify(config), {mode: 0o600});
  return portsIn(home, {PATH: path, KUBECONFIG: kubeconfig, ...env});
};

/** Returns the leads from the cluster of a person's current context, and the answer of each source. */
export const leadsFor = async (ports: Awaited<ReturnType<typeof personWith>>) => {
  const answers: Record<string, {outcome: string; detail: string}> = {};
  const tell = (event: FlowEvent) => {
    if (event.type !== 'source-answered') return;
    const {source, outcome, detail} = event;
    answers[source] = {outcome, detail};
  };
  const leads = await locationsInCluster([openchoreo], {ports, signal: noSignal, tell});
  return {leads: leads.map(({source, baseDomain, addresses}) => ({source, baseDomain, addresses})), answers};
};
