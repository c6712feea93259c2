import { expect, it } from 'vitest';
import { say } from '../../src/domain/text/say.ts';
import { storeForClients } from '../../src/http/store-for-clients.ts';
import { plainInputError, storeUnavailableError } from '../../src/schema/error.ts';
import type { Store } from '../../src/store/store.ts';

const HINT = say`Name the primary server with --db or ACEQUIA_DB.`;
const unavailable = storeUnavailableError(
  say`postgres://acequia@db.example.org/books cannot be reached.`,
  HINT,
);

const failing = (error: unknown): Store => {
  const fails = () => Promise.reject(error);
  const rest = {
    scopeToCompany: () => undefined as never,
    onCompanyChange: () => () => undefined,
    ensurePartitions: async () => undefined,
    clearFreeSpace: async () => undefined,
    close: async () => undefined,
  };
  return {
    read: fails,
    write: fails,
    writeUnscoped: fails,
    readAll: fails,
    writeAll: fails,
    writeUnlocked: fails,
    checkWritable: fails,
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
  (store) => store.checkWritable(),
];

/** The error that a client gets for `error` of the store, and what was logged. */
async function refusalFor(error: unknown, ask: (store: Store) => Promise<unknown>) {
  const logged: unknown[] = [];
  const store = storeForClients(failing(error), async (each) => `ref-${logged.push(each)}`);
  const refusal = await ask(store).then(
    () => new Error('It was answered'),
    (thrown: Error) => thrown,
  );
  return { refusal, logged };
}

it('tells clients when to try again, and the log where the store is and what the operator can do', async () => {
  for (const ask of WAYS) {
    const { refusal, logged } = await refusalFor(unavailable, ask);
    expect(refusal).toMatchObject({
      code: 'STORE_UNAVAILABLE',
      status: 503,
      hint: 'Try again in 5 s.',
      retryAfterS: 5,
    });
    expect(refusal.message).toContain('ref-1');
    expect(JSON.stringify([refusal.message, refusal])).not.toMatch(/example\.org|--db/);
    expect(logged).toEqual([unavailable]);
  }
});

it('tells clients if a change may have been saved', async () => {
  const lostDuringCommit = storeUnavailableError(say`The connection was lost.`, HINT, {
    mayBeWritten: true,
  });
  const { refusal } = await refusalFor(lostDuringCommit, WAYS[1]!);
  expect(refusal).toMatchObject({
    hint: expect.stringMatching(
      /^The change may have been saved\. Try again in 5 s\. .*idempotency key.*only once/,
    ),
    retryAfterS: 5,
  });
});

it('passes on any other error unchanged', async () => {
  const refusal = plainInputError('invalid_body', 'The body is no object.', {
    hint: 'Send one.',
  });
  for (const ask of WAYS) expect(await refusalFor(refusal, ask)).toEqual({ refusal, logged: [] });
});
