import { expect, it } from 'vitest';
import { withRedactedLocation } from '../../src/cli/serve-run.ts';
import { invalidInput, storeUnavailable } from '../../src/schema/error.ts';
import type { Store } from '../../src/store/store.ts';

const HINT = 'Repeat the call with the same idempotencyKey.';
const unavailable = storeUnavailable('postgres://acequia@db.example.org/books cannot be reached.', HINT);

const failing = (error: unknown): Store => {
  const fails = () => Promise.reject(error);
  const rest = {
    scopeToCompany: () => undefined as never,
    onCompanyChange: () => () => undefined,
    ensurePartitions: async () => undefined,
    close: async () => undefined,
  };
  return {
    read: fails,
    write: fails,
    writeUnscoped: fails,
    readAll: fails,
    writeAll: fails,
    writeUnlocked: fails,
    ...rest,
  };
};

const WAYS: readonly ((store: Store) => Promise<unknown>)[] = [
  (store) => store.read(1, async () => null),
  (store) => store.write(1, async () => null),
  (store) => store.writeUnscoped(1, async () => null),
  (store) => store.readAll(async () => null),
  (store) => store.writeAll(async () => null),
  (store) => store.writeUnlocked(async () => null),
];

it('hides from clients where an unavailable store is, and logs the location', async () => {
  for (const ask of WAYS) {
    const logged: unknown[] = [];
    const store = withRedactedLocation(failing(unavailable), async (error) => `ref-${logged.push(error)}`);
    const error = await ask(store).then(
      () => new Error('It was answered'),
      (thrown: Error) => thrown,
    );
    expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE', status: 503, hint: HINT });
    expect(error.message).toContain('ref-1');
    expect(JSON.stringify([error.message, error])).not.toContain('example.org');
    expect(logged).toEqual([unavailable]);
  }
});

it('passes on any other error unchanged', async () => {
  const refusal = invalidInput('invalid_body', 'The body is no object.', { hint: 'Send one.' });
  for (const ask of WAYS) {
    const store = withRedactedLocation(failing(refusal), async () => 'none');
    await expect(ask(store)).rejects.toBe(refusal);
  }
});
