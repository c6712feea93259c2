import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { isOnPostgres, rowsOf } from '../../stores/stores.ts';
import { CLOCK, runProgram } from '../program.ts';
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

const HOUR = 3_600_000;
const later = (ms: number): string => new Date(Date.parse(CLOCK) + ms).toISOString();

const logOnce = (served: RestService, key: string, n = 1, name = 'once'): Promise<RestResponse> =>
  served.request('POST', EVENTS_PATH, { key, body: nthWatering(n), headers: { 'idempotency-key': name } });

/** Fails if the answers differ. */
function replaysOf(answers: readonly RestResponse[]): number {
  for (const { status, body } of answers) expect({ status, body }).toEqual({ status: 201, body: answers[0]!.body });
  return answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true').length;
}

describe('fifty requests at once under one Idempotency-Key', () => {
  it('to two services of one store give one row and fifty equal answers', async () => {
    const db = await newBaseFarm();
    const both = await Promise.all([serveStoreForTest(db, '--clock', CLOCK), serveStoreForTest(db, '--clock', CLOCK)]);
    const { key } = await createTestKey(db);
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => logOnce(both[index % 2]!, key)));
    expect(replaysOf(answers)).toBe(49);
    expect(await countWaterings(db)).toBe(1);
  });

  it('of which every other has another body give one row; the others are refused', async () => {
    const served = await startRestService();
    const key = await served.newKey();
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => logOnce(served, key, index % 2)));
    const [kept, refused] = [201, 422].map((status) => answers.filter((each) => each.status === status));
    expect([kept!.length, refused!.length]).toEqual([25, 25]);
    expect(replaysOf(kept!)).toBe(24);
    for (const { body } of refused!) expect(body.code).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(await countWaterings(served.db)).toBe(1);
  });

  it('by a key and the one it was rotated to give one row, and by another key one more', async () => {
    const served = await startRestService();
    const old = await createTestKey(served.db);
    const fresh = (await runProgram('keys', 'rotate', String(old.id), '--db', served.db)).stdout.trim();
    const other = await served.newKey();
    const ask = (keys: readonly string[]) =>
      Promise.all(Array.from({ length: 50 }, (_, index) => logOnce(served, keys[index % keys.length]!)));
    const [family, stranger] = await Promise.all([ask([old.key, fresh]), ask([other])]);
    expect([replaysOf(family!), replaysOf(stranger!)]).toEqual([49, 49]);
    expect(family![0]!.body.event.id).not.toBe(stranger![0]!.body.event.id);
    expect(await countWaterings(served.db)).toBe(2);
  });
});

describe('a service that is killed', () => {
  it('between the write and the answer has kept the answer: who asks the next one again gets it', async () => {
    const served = await startRestService();
    const key = await served.newKey();
    const over = await openRawConnection(served.port);
    // The client never reads an answer.
    over.socket.pause();
    over.socket.write(rawLogRequest(nthWatering(1), key, { 'Idempotency-Key': 'once' }));
    while ((await countWaterings(served.db)) === 0) await pause(2);
    served.child.kill('SIGKILL');
    await served.ended;

    const next = await serveStoreForTest(served.db, '--clock', CLOCK);
    const again = await logOnce(next, key);
    expect(replaysOf([again])).toBe(1);
    const [row] = await rowsOf(served.db, 'select id, note from waterings');
    expect([again.body.event.id, again.body.event.note]).toEqual([row!.id, row!.note]);
    expect(await countWaterings(served.db)).toBe(1);
  });

  it.each(isOnPostgres ? [17] : [1, 17, 60])(
    'after %i answers of many leaves to each request either nothing or its row and its answer',
    async (count) => {
      const served = await startRestService('--rate-limit', '0');
      const key = await served.newKey();
      const requests = Array.from({ length: 120 }, (_, n) =>
        rawLogRequest(nthWatering(n), key, { 'Idempotency-Key': `watering ${n}` }),
      );
      let answered = 0;
      const talks = await Promise.all(requests.map(() => openKeepAlive(served.port)));
      const heard = await Promise.all(
        requests.map(async (request, n) => {
          const answer = await talks[n]!.ask(request).catch(() => null);
          if (answer && ++answered === count) served.child.kill('SIGKILL');
          return answer;
        }),
      );
      expect((await served.ended).signal).toBe('SIGKILL');
      const stood = new Set((await rowsOf(served.db, 'select note from waterings')).map(({ note }) => note));

      const next = await serveStoreForTest(served.db, '--clock', CLOCK, '--rate-limit', '0');
      for (const [n, first] of heard.entries()) {
        const again = await logOnce(next, key, n, `watering ${n}`);
        const isReplay = again.headers.get('idempotent-replayed') === 'true';
        expect([again.status, isReplay]).toEqual([201, stood.has(`watering ${n}`)]);
        if (first) expect({ isReplay, body: again.body }).toEqual({ isReplay: true, body: first.body });
      }
      expect(await countWaterings(served.db)).toBe(120);
    },
  );
});

describe('a key of a request', () => {
  it('is kept for a day, and is free after it', async () => {
    const db = await newBaseFarm();
    const { key } = await createTestKey(db);
    const asked = async (clock: string): Promise<RestResponse> => {
      const served = await serveStoreForTest(db, '--clock', clock);
      const answer = await logOnce(served, key);
      served.child.kill('SIGTERM');
      await served.ended;
      return answer;
    };
    const first = await asked(CLOCK);
    expect(replaysOf([first, await asked(later(23 * HOUR))])).toBe(1);
    const free = await asked(later(25 * HOUR));
    expect([free.status, free.headers.get('idempotent-replayed')]).toEqual([201, null]);
    expect(free.body.event.id).not.toBe(first.body.event.id);
    expect(replaysOf([free, await asked(later(26 * HOUR))])).toBe(1);
    expect(await countWaterings(db)).toBe(2);
  });
});
