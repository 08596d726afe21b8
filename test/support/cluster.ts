import {parse} from 'yaml';

/** How kubectl ends. */
type Ended = {readonly code: number; readonly stdout: string; readonly stderr: string};

const printed = (stdout: string): Ended => ({code: 0, stdout, stderr: ''});
const failed = (stderr: string): Ended => ({code: 1, stdout: '', stderr: `${stderr}\n`});

export type ClusterOptions = {
  /** The hosts that the routes in the cluster name. */
  readonly hostnames: readonly string[];
  /** Whether the person may create role bindings in the cluster. */
  readonly may?: boolean;
  /** Called with each object that is created. It may refuse it by throwing what the server says. */
  readonly created?: (object: ClusterObject) => void;
};

export type ClusterObject = {
  readonly kind: string;
  readonly metadata: {readonly name: string};
  // biome-ignore lint/suspicious/noExplicitAny: Each kind has a shape of its own.
  readonly spec: any;
};

/** Returns a cluster that answers kubectl's command lines in the words of kubectl 1.32, and the names in it. */
export const createCluster = ({hostnames, may = true, created = () => {}}: ClusterOptions) => {
  const objects = new Map<string, ClusterObject>();
  const answer = (args: readonly string[], input: string): Ended => {
    const words = args[0] === '--context' ? args.slice(2) : args;
    const [verb, ...rest] = words;
    if (verb === 'config') return printed('acme\n');
    if (verb === 'get' && rest[0]?.startsWith('httproutes')) {
      const route = {metadata: {name: 'api', namespace: 'platform-control-plane'}, spec: {hostnames}};
      return printed(JSON.stringify({items: [route]}));
    }
    if (verb === 'auth') return may ? printed('yes\n') : {...failed(''), stdout: 'no\n'};
    if (verb === 'get') return printed(JSON.stringify({items: [...objects.values()]}));
    if (verb === 'create') {
      const object: ClusterObject = parse(input);
      const {name} = object.metadata;
      const resource = `${object.kind.toLowerCase()}s.platform.example`;
      if (objects.has(name))
        return failed(
          `Error from server (AlreadyExists): error when creating "STDIN": ${resource} "${name}" already exists`,
        );
      try {
        created(object);
      } catch (error) {
        return failed(`Error from server (Forbidden): error when creating "STDIN": ${(error as Error).message}`);
      }
      objects.set(name, object);
      return printed(name);
    }
    if (verb === 'delete') {
      for (const name of rest.slice(1)) objects.delete(name);
      return printed('');
    }
    return failed(`error: unknown command "${verb}" for "kubectl"`);
  };
  return {answer, names: () => [...objects.keys()]};
};
