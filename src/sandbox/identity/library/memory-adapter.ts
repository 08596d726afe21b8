import type {Adapter, AdapterPayload} from 'oidc-provider';

type Entry = {readonly payload: AdapterPayload; readonly expiresAt: number};

/**
 * Keeps one model of the protocol library in memory, for as long as the sandbox runs. `linger` is for how many seconds
 * an entry is still found after its end, when the library is to tell that it ended from that it never was.
 */
export const memoryAdapter = ({linger = 0}: {readonly linger?: number} = {}): Adapter => {
  const entries = new Map<string, Entry>();

  const find = (id: string) => {
    const entry = entries.get(id);
    if (entry && entry.expiresAt <= Date.now()) entries.delete(id);
    return entries.get(id)?.payload;
  };

  const findWhere = (test: (payload: AdapterPayload) => boolean) => {
    for (const id of entries.keys()) {
      const payload = find(id);
      if (payload && test(payload)) return payload;
    }
    return undefined;
  };

  return {
    async upsert(id, payload, expiresIn) {
      // An entry that nobody asks for again would stay for ever otherwise.
      for (const other of entries.keys()) find(other);
      const expiresAt = expiresIn === undefined ? Number.POSITIVE_INFINITY : Date.now() + (expiresIn + linger) * 1000;
      entries.set(id, {payload, expiresAt});
    },
    find: async id => find(id),
    findByUid: async uid => findWhere(payload => payload.uid === uid),
    findByUserCode: async userCode => findWhere(payload => payload.userCode === userCode),
    async consume(id) {
      const payload = find(id);
      if (payload) payload.consumed = Math.floor(Date.now() / 1000);
    },
    async destroy(id) {
      entries.delete(id);
    },
    async revokeByGrantId(grantId) {
      for (const [id, {payload}] of entries) if (payload.grantId === grantId) entries.delete(id);
    },
  };
};
