import {cleanText} from '../../text.ts';
import {type JsonObject, textAt} from '../answers.ts';

export type Component = {
  readonly namespace: string;
  readonly project: string;
  readonly name: string;
  readonly type: string;
  readonly status: string;
  /** ISO 8601. */
  readonly createdAt?: string;
};

const objectAt = (object: JsonObject, key: string): JsonObject => {
  const value = object[key];
  return typeof value === 'object' && value !== null ? (value as JsonObject) : {};
};

/** What a resource is called: by itself until 0.15, in its metadata since. */
export const nameIn = (item: JsonObject): string =>
  cleanText(textAt(objectAt(item, 'metadata'), 'name') ?? textAt(item, 'name') ?? '');

/** The project that a component of a namespace belongs to (from 0.16). */
export const projectOf = (item: JsonObject): string =>
  cleanText(textAt(objectAt(objectAt(item, 'spec'), 'owner'), 'projectName') ?? textAt(item, 'projectName') ?? '');

/** A component in the flat shape of 0.14, or as a Kubernetes resource as since 0.16. */
export const componentIn = (item: JsonObject, namespace: string, project: string): Component => {
  const [metadata, spec] = [objectAt(item, 'metadata'), objectAt(item, 'spec')];
  const type = textAt(objectAt(spec, 'componentType'), 'name') ?? textAt(item, 'type');
  const createdAt = textAt(metadata, 'creationTimestamp') ?? textAt(item, 'createdAt');
  return {
    namespace: cleanText(namespace),
    project: cleanText(project),
    name: nameIn(item),
    type: cleanText(type ?? ''),
    status: statusIn(item),
    ...(createdAt === undefined ? {} : {createdAt: cleanText(createdAt)}),
  };
};

/** A word for it: said as such in 0.14, by the condition `Ready` since. */
const statusIn = ({status}: JsonObject): string => {
  if (typeof status === 'string') return cleanText(status);
  const {conditions} = (status ?? {}) as {conditions?: unknown};
  const ready = (Array.isArray(conditions) ? (conditions as JsonObject[]) : []).find(({type}) => type === 'Ready');
  if (!ready) return '';
  return ready.status === 'True' ? 'Ready' : cleanText(textAt(ready, 'reason') ?? 'Not ready');
};
