import { expect, it } from 'vitest';
import { serviceSecret } from '../../src/store/keys/secrets.ts';
import { openStore } from '../../src/store/store.ts';
import { onEachStore } from './temporary-stores.ts';

onEachStore((withStore) => {
  it('creates a secret once, however many processes need it first', () =>
    withStore(async (store, db) => {
      const others = await Promise.all(Array.from({ length: 4 }, () => openStore({ db })));
      const stores = [store, ...others];
      const secrets = await Promise.all(stores.map((each) => serviceSecret(each, 'request-state')));
      expect(new Set(secrets).size).toBe(1);
      // 256 bits, as HMAC-SHA256 needs.
      expect(Buffer.from(secrets[0]!, 'base64url')).toHaveLength(32);
      expect(await serviceSecret(store, 'another')).not.toBe(secrets[0]);
      await Promise.all(others.map((each) => each.close()));
      const reopened = await openStore({ db });
      expect(await serviceSecret(reopened, 'request-state')).toBe(secrets[0]);
      await reopened.close();
    }));
});
