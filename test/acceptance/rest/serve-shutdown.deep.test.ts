import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../stores/stores.ts';
import type { Json } from '../program.ts';
import { type RestService, startRestService } from '../rest-service.ts';
import { nthWatering, openKeepAlive, rawLogRequest } from './raw-requests.ts';

const notesIn = async (db: string): Promise<string[]> =>
  (await rowsOf<{ note: string }>(db, 'select note from waterings')).map(({ note }) => note).sort();

const notesOf = (events: readonly Json[]): string[] => events.map(({ note }) => note).sort();

async function serviceWithKey(): Promise<{ service: RestService; key: string }> {
  const service = await startRestService('--rate-limit', '0');
  return { service, key: await service.newKey() };
}

/** Each connection logs one watering after another until the service closes it. */
async function logUntilClosed(
  { service, key }: { service: RestService; key: string },
  connections: number,
  onAnswer: (count: number) => void,
): Promise<Json[]> {
  const events: Json[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const over = await openKeepAlive(service.port);
      for (;;) {
        const answer = await over.ask(rawLogRequest(nthWatering(next++), key));
        if (answer === null) return;
        expect(answer.status).toBe(201);
        events.push(answer.body.event);
        onAnswer(events.length);
      }
    }),
  );
  return events;
}

/** One connection for each watering. A connection that is accepted and not answered fails. */
async function logOverNewConnections(
  { service, key }: { service: RestService; key: string },
  clients: number,
  onAnswer: (count: number) => void,
): Promise<Json[]> {
  const events: Json[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (;;) {
        const over = await openKeepAlive(service.port).catch((error) => {
          if (error.code === 'ECONNREFUSED') return null;
          throw error;
        });
        if (over === null) return;
        const answer = await over.ask(
          rawLogRequest(nthWatering(next++), key, { Connection: 'close' }),
        );
        expect(answer?.status).toBe(201);
        events.push(answer!.body.event);
        onAnswer(events.length);
      }
    }),
  );
  return events;
}

describe('SIGTERM', () => {
  it.each([1, 40, 150])(
    'after %i answers on fifty busy connections cuts no answer and writes nothing without one',
    async (count) => {
      const { service, key } = await serviceWithKey();
      const events = await logUntilClosed({ service, key }, 50, (answered) => {
        if (answered === count) service.child.kill('SIGTERM');
      });
      expect(await service.ended).toMatchObject({ code: 0, signal: null });
      expect(events.length).toBeGreaterThanOrEqual(count);
      expect(notesOf(events)).toEqual(await notesIn(service.db));
    },
  );

  it.each([1, 60, 120])(
    'after %i answers to thirty reconnecting clients answers or refuses every connection',
    async (count) => {
      const { service, key } = await serviceWithKey();
      const events = await logOverNewConnections({ service, key }, 30, (answered) => {
        if (answered === count) service.child.kill('SIGTERM');
      });
      expect(await service.ended).toMatchObject({ code: 0, signal: null });
      expect(notesOf(events)).toEqual(await notesIn(service.db));
    },
  );
});
