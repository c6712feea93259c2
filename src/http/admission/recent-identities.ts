import type { Identify, Identity } from '../../operation/authorization.ts';
import { hashKey } from '../../service/keys/api-keys.ts';

const RECENT_MS = 5_000;
const MAX_IDENTITIES = 10_000;

interface RecentIdentity {
  readonly identity: Identity;
  readonly at: number;
}

/**
 * Who sent keys lately. It saves a small write the transaction that identifies its caller before
 * the body is read; the one that writes confirms the key all the same.
 */
export class RecentIdentities {
  readonly #byHash = new Map<string, RecentIdentity>();

  /** Identifies as `identify` does, and keeps the identity until the key is refused. */
  keeping(key: string, identify: Identify): Identify {
    const hash = hashKey(key);
    const keepingIdentify: Identify = async (all) => {
      try {
        const identity = { ...(await identify(all)), confirm: keepingIdentify };
        this.#keep(hash, identity);
        return identity;
      } catch (error) {
        this.#byHash.delete(hash);
        throw error;
      }
    };
    return keepingIdentify;
  }

  find(key: string): Identity | null {
    const recent = this.#byHash.get(hashKey(key));
    if (recent === undefined || performance.now() - recent.at > RECENT_MS) return null;
    return recent.identity;
  }

  #keep(hash: string, identity: Identity): void {
    if (this.#byHash.size >= MAX_IDENTITIES) this.#byHash.clear();
    this.#byHash.set(hash, { identity, at: performance.now() });
  }
}
