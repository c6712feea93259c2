import { describe, expect, it } from 'vitest';
import { expectSound, rowsOf } from '../../stores/stores.ts';
import type { Json } from '../program.ts';
import { type RestService, serveStoreForTest, startRestService } from '../rest-service.ts';
import { nthWatering, openKeepAlive, rawLogRequest } from './raw-requests.ts';

const notesIn = async (db: string): Promise<string[]> =>
  (await rowsOf<{ note: string }>(db, 'select note from waterings')).map(({ note }) => note).sort();

const notesOf = (events: readonly Json[]): string[] => events.map(({ note }) => note).sort();

async function serviceWithKey(): Promise<{ served: RestService; key: string }> {
  const served = await startRestService('--rate-limit', '0');
  return { served, key: await served.newKey() };
}

/** Each connection logs one watering after another until the service closes it. A cut answer fails unless `mayCut`. */
async function logUntilClosed(
  { served, key, mayCut = false }: { served: RestService; key: string; mayCut?: boolean },
  connections: number,
  onAnswer: (count: number) => void,
): Promise<Json[]> {
  const events: Json[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const over = await openKeepAlive(served.port);
      for (;;) {
        const heard = await over.ask(rawLogRequest(nthWatering(next++), key)).catch((error) => {
          if (mayCut) return null;
          throw error;
        });
        if (heard === null) return;
        expect(heard.status).toBe(201);
        events.push(heard.body.event);
        onAnswer(events.length);
      }
    }),
  );
  return events;
}

/** One connection for each watering. A connection that is accepted and not answered fails. */
async function logOverNewConnections(
  { served, key }: { served: RestService; key: string },
  clients: number,
  onAnswer: (count: number) => void,
): Promise<Json[]> {
  const events: Json[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (;;) {
        const over = await openKeepAlive(served.port).catch((error) => {
          if (error.code === 'ECONNREFUSED') return null;
          throw error;
        });
        if (over === null) return;
        const heard = await over.ask(rawLogRequest(nthWatering(next++), key, { Connection: 'close' }));
        expect(heard?.status).toBe(201);
        events.push(heard!.body.event);
        onAnswer(events.length);
      }
    }),
  );
  return events;
}

describe('SIGTERM', () => {
  it('while fifty requests are in flight lets every one have its answer', async () => {
    const { served, key } = await serviceWithKey();
    const talks = await Promise.all(Array.from({ length: 50 }, () => openKeepAlive(served.port)));
    const asked = talks.map((over, n) => over.ask(rawLogRequest(nthWatering(n), key)));
    await Promise.race(asked);
    served.child.kill('SIGTERM');
    const heard = await Promise.all(asked);
    expect(heard.map((each) => each?.status)).toEqual(Array(50).fill(201));
    expect(await served.ended).toEqual({ code: 0, signal: null });
    expect(notesOf(heard.map((each) => each!.body.event))).toEqual(await notesIn(served.db));
  });

  it.each([1, 40, 150])(
    'after %i answers, among fifty connections that never rest, cuts no answer and writes nothing that has none',
    async (count) => {
      const { served, key } = await serviceWithKey();
      const events = await logUntilClosed({ served, key }, 50, (answered) => {
        if (answered === count) served.child.kill('SIGTERM');
      });
      expect(await served.ended).toEqual({ code: 0, signal: null });
      expect(events.length).toBeGreaterThanOrEqual(count);
      expect(notesOf(events)).toEqual(await notesIn(served.db));
    },
  );

  it.each([1, 60, 120])(
    'after %i answers, among thirty clients that connect anew each time, answers or refuses every connection',
    async (count) => {
      const { served, key } = await serviceWithKey();
      const events = await logOverNewConnections({ served, key }, 30, (answered) => {
        if (answered === count) served.child.kill('SIGTERM');
      });
      expect(await served.ended).toEqual({ code: 0, signal: null });
      expect(notesOf(events)).toEqual(await notesIn(served.db));
    },
  );
});

describe('kill -9', () => {
  it.each([1, 90, 333])('after %i answers under load has lost none of them, as they were answered', async (count) => {
    const { served, key } = await serviceWithKey();
    const events = await logUntilClosed({ served, key, mayCut: true }, 20, (answered) => {
      if (answered === count) served.child.kill('SIGKILL');
    });
    expect((await served.ended).signal).toBe('SIGKILL');
    expect(events.length).toBeGreaterThanOrEqual(count);

    const next = await serveStoreForTest(served.db, '--rate-limit', '0');
    const standing = new Map<number, Json>();
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = `/irrigation/events?limit=200${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
      const { body } = await next.request('GET', page, { key });
      for (const event of body.data) standing.set(event.id, event);
      cursor = body.next_cursor;
    }
    for (const event of events) expect(standing.get(event.id)).toEqual(event);
    await expectSound(served.db);
  });
});
