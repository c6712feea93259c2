import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../../src/domain/periods.ts';
import { newBaseFarm } from '../../base-farm.ts';
import type { CallTool } from '../../mcp/local-tools.ts';
import { bodyOf, refusalOf, remoteToolsForTest, toolsForTest } from '../mcp-session.ts';
import { createTestKey, serveStoreForTest } from '../rest-service.ts';

/** Opens a session at a local hour of 1 July, with a connection of its own as each chat has. */
type OpenAt = (hour: string) => Promise<CallTool>;

const clockAt = (hour: string): string => `2026-07-01T${hour}:00+02:00`;

/** The clocks of two computers differ, so that their minutes do. */
const afterMinute = (instant: string): string =>
  new Date(Date.parse(instant) + MINUTE_MS).toISOString();

const toolsAt =
  (db: string): OpenAt =>
  (hour) =>
    toolsForTest(db, { clock: clockAt(hour) });

async function remoteAt(db: string): Promise<OpenAt> {
  const { key } = await createTestKey(db, '--surface', 'mcp');
  return async (hour) => {
    const { base } = await serveStoreForTest(db, '--clock', clockAt(hour));
    return remoteToolsForTest(base, { key, clock: afterMinute(clockAt(hour)) });
  };
}

const count = async (call: CallTool): Promise<number> =>
  bodyOf(await call('list_waterings')).data.length;

/** The key is made from the words of the order, as models make it. */
const ordered = (startedAt: string, durationMin: number, key: string) => ({
  module: 'North 1',
  startedAt,
  durationMin: String(durationMin),
  idempotencyKey: key,
});

const TRANSPORTS = {
  'the store': toolsAt,
  'a remote service': remoteAt,
} satisfies Readonly<Record<string, (db: string) => Promise<OpenAt> | OpenAt>>;

export const KEY_TRANSPORTS = ['the store', 'a remote service'] as const;

/** Models build keys from the words of an order, which people say twice a day. */
export function describeKeysOfWords(transports: readonly (keyof typeof TRANSPORTS)[]): void {
  describe.each(transports)('keys built from words, by way of %s', (transport) => {
    const opened = TRANSPORTS[transport];

    it('write what is said again in the evening only under a key of its own', async () => {
      const openAt = await opened(await newBaseFarm());
      const order = ordered('20 minutes ago', 10, 'north-1-10-min-20-minutes-ago');

      const noon = await openAt('14:00');
      const first = bodyOf(await noon('log_watering', order));
      expect(first).not.toHaveProperty('replayed');
      const retried = bodyOf(await noon('log_watering', order));
      expect(retried.summary).toMatch(
        /^Already logged today 14:00, for today 13:4[01] to 13:5[01]: nothing new was written[.] If it ran again, say so with another key[.]/,
      );
      expect(retried).toMatchObject({ replayed: true, event: first.event });

      const restarted = await openAt('14:04');
      expect(bodyOf(await restarted('log_watering', order))).toMatchObject({
        replayed: true,
        event: first.event,
      });

      const evening = await openAt('17:00');
      const refused = await evening('log_watering', order);
      expect(refusalOf(refused)).toMatchObject({
        code: 'IDEMPOTENCY_KEY_REUSED',
        status: 422,
        hint: expect.stringContaining('"20 minutes ago" mean another time'),
      });
      expect(refused.content).toMatchObject([
        {
          text: expect.stringMatching(
            /^Already logged today 14:00, for today 13:4[01] to 13:5[01]: 1 watering added .*there is nothing to do/,
          ),
        },
        {},
      ]);
      expect(await count(evening)).toBe(1);

      const anew = await evening('log_watering', { ...order, idempotencyKey: 'evening' });
      expect(bodyOf(anew).event.startedAt).toMatch(/T14:4[01]:/);
      expect(await count(evening)).toBe(2);
    });

    it('replay words that still mean the same, and say what was done with it since', async () => {
      const openAt = await opened(await newBaseFarm());
      const order = ordered('today 06:00', 45, 'north-1-this-morning');

      const morning = await openAt('08:00');
      const { event } = bodyOf(await morning('log_watering', order));
      await morning('correct_watering', { eventId: event.id, durationMin: '30 min' });

      const evening = await openAt('20:00');
      const changed = bodyOf(await evening('log_watering', order));
      expect(changed.summary).toMatch(
        /^Already logged today 08:00, for today 06:00 to 06:45: nothing new .* This was changed since: 1 watering changed, .*30 min in place of 45 min/,
      );
      expect(changed).toMatchObject({ replayed: true, event });

      await evening('undo');
      await evening('undo');
      const { summary, next } = bodyOf(await evening('log_watering', order));
      expect(next).toBe('this call again with idempotencyKey: a new one, to enter it anew');
      expect(summary).toContain('This was undone since: nothing of it is stored.');
      expect(await count(evening)).toBe(0);
    });
  });
}
