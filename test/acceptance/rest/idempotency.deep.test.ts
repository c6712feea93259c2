import { describe, expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { isOnPostgres, rowsOf } from '../../stores/stores.ts';
import { CLOCK, runProgram, waitWhileRunning } from '../program.ts';
import {
  createTestKey,
  type RestResponse,
  type RestService,
  serveStoreForTest,
  startRestService,
} from '../rest-service.ts';
import {
  countWaterings,
  EVENTS_PATH,
  nthWatering,
  openKeepAlive,
  openRawConnection,
  rawLogRequest,
} from './raw-requests.ts';

const logOnce = (service: RestService, key: string, n = 1, name = 'once'): Promise<RestResponse> =>
  service.request('POST', EVENTS_PATH, {
    key,
    body: nthWatering(n),
    headers: { 'idempotency-key': name },
  });

/** Fails if the answers differ. */
function replaysOf(answers: readonly RestResponse[]): number {
  for (const { status, body } of answers)
    expect({ status, body }).toEqual({ status: 201, body: answers[0]!.body });
  return answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true').length;
}

describe('fifty simultaneous requests under one Idempotency-Key', () => {
  it('to two services on one store write one row and have equal answers', async () => {
    const db = await newBaseFarm();
    const both = await Promise.all([
      serveStoreForTest(db, '--clock', CLOCK),
      serveStoreForTest(db, '--clock', CLOCK),
    ]);
    const { key } = await createTestKey(db);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => logOnce(both[index % 2]!, key)),
    );
    expect(replaysOf(answers)).toBe(49);
    expect(await countWaterings(db)).toBe(1);
  });

  it('with a key and its successor write one row, and with another key a second', async () => {
    const service = await startRestService();
    const old = await createTestKey(service.db);
    const fresh = (
      await runProgram('keys', 'rotate', String(old.id), '--db', service.db)
    ).stdout.trim();
    const other = await service.newKey();
    const ask = (keys: readonly string[]) =>
      Promise.all(
        Array.from({ length: 50 }, (_, index) => logOnce(service, keys[index % keys.length]!)),
      );
    const [family, stranger] = await Promise.all([ask([old.key, fresh]), ask([other])]);
    expect([replaysOf(family!), replaysOf(stranger!)]).toEqual([49, 49]);
    expect(family![0]!.body.event.id).not.toBe(stranger![0]!.body.event.id);
    expect(await countWaterings(service.db)).toBe(2);
  });
});

describe('a service that is killed', () => {
  it('between write and answer has stored the answer, which a retry gets', async () => {
    const service = await startRestService();
    const key = await service.newKey();
    const over = await openRawConnection(service.port);
    // The client never reads an answer.
    over.socket.pause();
    over.socket.write(rawLogRequest(nthWatering(1), key, { 'Idempotency-Key': 'once' }));
    await waitWhileRunning(service, async () => (await countWaterings(service.db)) > 0);
    service.child.kill('SIGKILL');
    await service.ended;

    const next = await serveStoreForTest(service.db, '--clock', CLOCK);
    const repeated = await logOnce(next, key);
    expect(replaysOf([repeated])).toBe(1);
    const [row] = await rowsOf(service.db, 'select id, note from waterings');
    expect([repeated.body.event.id, repeated.body.event.note]).toEqual([row!.id, row!.note]);
    expect(await countWaterings(service.db)).toBe(1);
  });

  it.each(isOnPostgres ? [17] : [1, 17, 60])(
    'after %i of many answers has stored both the row and the answer of each request, or neither',
    async (count) => {
      const service = await startRestService('--rate-limit', '0');
      const key = await service.newKey();
      const requests = Array.from({ length: 120 }, (_, n) =>
        rawLogRequest(nthWatering(n), key, { 'Idempotency-Key': `watering ${n}` }),
      );
      let answered = 0;
      const connections = await Promise.all(requests.map(() => openKeepAlive(service.port)));
      const answers = await Promise.all(
        requests.map(async (request, n) => {
          const answer = await connections[n]!.ask(request).catch(() => null);
          if (answer && ++answered === count) service.child.kill('SIGKILL');
          return answer;
        }),
      );
      expect((await service.ended).signal).toBe('SIGKILL');
      const storedNotes = new Set(
        (await rowsOf(service.db, 'select note from waterings')).map(({ note }) => note),
      );

      const next = await serveStoreForTest(service.db, '--clock', CLOCK, '--rate-limit', '0');
      for (const [n, first] of answers.entries()) {
        const repeated = await logOnce(next, key, n, `watering ${n}`);
        const isReplay = repeated.headers.get('idempotent-replayed') === 'true';
        expect([repeated.status, isReplay]).toEqual([201, storedNotes.has(`watering ${n}`)]);
        if (first)
          expect({ isReplay, body: repeated.body }).toEqual({ isReplay: true, body: first.body });
      }
      expect(await countWaterings(service.db)).toBe(120);
    },
  );
});
