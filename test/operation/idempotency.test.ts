import { describe, expect, it } from 'vitest';
import { readToolArguments } from '../../src/operation/arguments/tool-arguments.ts';
import { fingerprintArguments } from '../../src/operation/idempotency.ts';
import { LocalRunner } from '../../src/operation/local/local-runner.ts';
import { openStore } from '../../src/store/store.ts';
import { operationsByName } from '../../tools/index.ts';
import { DAY, FARM_NOW, HOUR, iso, MINUTE, type TestFarm, withFarm } from '../farm.ts';
import { whileInsertsFail } from '../stores/stores.ts';

const minutes = { startedAt: iso(FARM_NOW - HOUR), inputMode: 'duration', durationMin: 45 };
const key = { idempotencyKey: 'k-1' };

/** Rows of waterings and of idempotency records. */
const counts = (farm: TestFarm) =>
  farm.write(async (db) => ({
    waterings: (await db.selectFrom('waterings').select('id').execute()).length,
    records: (await db.selectFrom('idempotency').select('key').execute()).length,
  }));

describe('the same key with the same arguments', () => {
  it('replays the answer with the same summary, marks it as replayed and writes nothing twice', () =>
    withFarm(async (farm) => {
      await farm.declare('North 1', { system: 'drip', flowMmPerH: 3.2 });
      const first = await farm.log('North 1', minutes, key);
      const second = await farm.log('North 1', minutes, key);
      expect(first.replayed).toBe(false);
      expect(second).toEqual({ ...first, replayed: true });
      expect(await counts(farm)).toEqual({ waterings: 1, records: 1 });
    }));

  it('keeps the words of the summary when today has become yesterday', () =>
    withFarm(async (farm) => {
      const first = await farm.log('North 1', { ...minutes, startedAt: '2026-07-01 06:00' }, key);
      farm.now += 20 * HOUR;
      const second = await farm.log('North 1', { ...minutes, startedAt: '2026-07-01 06:00' }, key);
      expect(first.summary).toContain('today 06:00');
      expect(second.summary).toBe(first.summary);
    }));

  it('replays an answer in English, whatever the language of the caller who repeats it', () =>
    withFarm(async (farm) => {
      await farm.log('North 1', minutes);
      const english = await farm.log('North 1', minutes, key);
      const french = await farm.log('North 1', minutes, { ...key, lang: 'fr' });
      expect(english.summary).toContain('overlaps another watering');
      expect(french.replayed).toBe(true);
      expect(french.summary).toBe(english.summary);
    }));

  it('replays the answer as it was, even if the row was corrected since', () =>
    withFarm(async (farm) => {
      const first = await farm.log('North 1', minutes, key);
      await farm.correct(first.event, { durationMin: 10 });
      expect((await farm.log('North 1', minutes, key)).event).toEqual(first.event);
      expect((await farm.watering(first.event.id)).durationMin).toBe(10);
    }));

  it('accepts plain words that mean another time by now: "20 minutes ago" ten minutes later', () =>
    withFarm(async (farm) => {
      const first = await farm.log('North 1', { ...minutes, startedAt: '20 minutes ago' }, key);
      farm.now += 10 * MINUTE;
      const second = await farm.log('North 1', { ...minutes, startedAt: '20 minutes ago' }, key);
      expect(first.event.startedAt).toBe(iso(FARM_NOW - 20 * MINUTE));
      expect(second).toEqual({ ...first, replayed: true });
    }));

  it.each([
    [
      'set_module_installation',
      { module: 'North 1', system: 'drip', effectiveFrom: iso(FARM_NOW - HOUR) },
    ],
    [
      'set_parcel_installation',
      { parcel: 'North block', system: 'drip', effectiveFrom: iso(FARM_NOW - HOUR) },
    ],
    ['set_module_placement', { module: 'North 1', emitterDistanceCm: 4 }],
    ['recompute_doses', { module: 'North 1' }],
  ])('replays %s too', (tool, args) =>
    withFarm(async (farm) => {
      const first = await farm.tool(tool, args, key);
      farm.now += HOUR;
      expect(await farm.tool(tool, args, key)).toEqual({ ...first, replayed: true });
    }),
  );

  it('is a new entry once 24 h have passed', () =>
    withFarm(async (farm) => {
      const first = await farm.log('North 1', minutes, key);
      farm.now = FARM_NOW + DAY - 1;
      expect((await farm.log('North 1', minutes, key)).replayed).toBe(true);
      farm.now = FARM_NOW + DAY;
      const later = await farm.log('North 1', minutes, key);
      expect(later.replayed).toBe(false);
      expect(later.event.id).not.toBe(first.event.id);
      expect(await counts(farm)).toEqual({ waterings: 2, records: 1 });
    }));

  it('writes once when two calls race', () =>
    withFarm(async (farm) => {
      const answers = await Promise.all([1, 2, 3, 4].map(() => farm.log('North 1', minutes, key)));
      expect(await counts(farm)).toEqual({ waterings: 1, records: 1 });
      expect(answers.map(({ replayed }) => replayed).sort()).toEqual([false, true, true, true]);
      expect(
        new Set(answers.map(({ summary, event }) => JSON.stringify([summary, event]))).size,
      ).toBe(1);
    }));

  it('writes once when two stores race on one file', () =>
    withFarm(async (farm) => {
      const other = await openStore({ db: farm.db });
      try {
        const users = await farm.write((db) => db.selectFrom('users').select('id').execute());
        const runner = new LocalRunner({
          store: other,
          operations: operationsByName,
          clock: () => farm.now,
          lang: 'en',
          source: 'mcp',
          identify: async (all) => {
            const company = await all
              .selectFrom('companies')
              .selectAll()
              .where('name', '=', 'Mas Rouge')
              .executeTakeFirst();
            const caller = {
              id: 'owner',
              companyId: company!.id,
              userId: users[0]!.id,
              role: 'OWNER',
              scopes: ['irrigation:write'],
            } as const;
            return { company: company!, caller };
          },
        });
        const operation = operationsByName.get('log_watering')!;
        const args = { module: 'North 1', ...minutes, detail: 'full' };
        const secondCall = runner.run(operation, {
          rawArguments: args,
          idempotencyKey: key.idempotencyKey,
          readArguments: (context) => readToolArguments(operation, args, context),
        });
        const [first, second] = await Promise.all([farm.log('North 1', minutes, key), secondCall]);
        expect(second.body).toMatchObject({ event: first.event });
        expect([first.replayed, second.isReplay].sort()).toEqual([false, true]);
        expect(await counts(farm)).toEqual({ waterings: 1, records: 1 });
      } finally {
        await other.close();
      }
    }));
});

describe('the same key with other arguments', () => {
  it('fails with 422 IDEMPOTENCY_KEY_REUSED and writes nothing', () =>
    withFarm(async (farm) => {
      await farm.log('North 1', minutes, key);
      await expect(farm.log('North 2', minutes, key)).rejects.toMatchObject({
        code: 'IDEMPOTENCY_KEY_REUSED',
        status: 422,
        field: 'idempotencyKey',
      });
      expect(await counts(farm)).toEqual({ waterings: 1, records: 1 });
    }));

  it('is reported before anything else is checked', () =>
    withFarm(async (farm) => {
      await farm.log('North 1', minutes, key);
      await expect(farm.log('Nowhere', { startedAt: 'whenever' }, key)).rejects.toMatchObject({
        code: 'IDEMPOTENCY_KEY_REUSED',
      });
    }));

  it('writes once and refuses once when the two race', () =>
    withFarm(async (farm) => {
      const settled = await Promise.allSettled([
        farm.log('North 1', minutes, key),
        farm.log('North 1', { ...minutes, durationMin: 46 }, key),
      ]);
      const refused = settled.filter((each) => each.status === 'rejected');
      expect(refused.map(({ reason }) => reason.code)).toEqual(['IDEMPOTENCY_KEY_REUSED']);
      expect(await counts(farm)).toEqual({ waterings: 1, records: 1 });
    }));
});

describe('a key', () => {
  it.each<[string, (farm: TestFarm) => Promise<{ replayed: boolean }>]>([
    [
      'operation',
      (farm) => farm.tool('set_module_placement', { module: 'North 1', emitterDistanceCm: 4 }, key),
    ],
    ['caller', (farm) => farm.log('North 1', minutes, { ...key, caller: { id: 'key-2' } })],
    ['company', (farm) => farm.log('Blue 1', minutes, { ...key, company: 'Mas Bleu' })],
  ])('counts for one %s', (_, callElsewhere) =>
    withFarm(async (farm) => {
      await farm.log('North 1', minutes, key);
      expect((await callElsewhere(farm)).replayed).toBe(false);
    }),
  );

  it('has no meaning for a read', () =>
    withFarm(async (farm) => {
      await expect(farm.tool('list_waterings', key)).rejects.toMatchObject({
        code: 'invalid_parameter',
      });
    }));

  it('replays nothing for a caller who may no longer write', () =>
    withFarm(async (farm) => {
      await farm.log('North 1', minutes, key);
      await expect(
        farm.log('North 1', minutes, { ...key, caller: { role: 'VIEWER' } }),
      ).rejects.toMatchObject({
        code: 'insufficient_role',
      });
    }));
});

describe('an error', () => {
  it('is not stored: the same call under the key succeeds once its cause is gone', () =>
    withFarm(async (farm) => {
      const planned = { ...minutes, startedAt: iso(FARM_NOW + HOUR), status: 'done' };
      await expect(farm.log('North 1', planned, key)).rejects.toMatchObject({
        code: 'INVALID_STATUS',
      });
      expect(await counts(farm)).toEqual({ waterings: 0, records: 0 });
      farm.now += 2 * HOUR;
      expect((await farm.log('North 1', planned, key)).replayed).toBe(false);
    }));

  it('leaves the key free for corrected arguments', () =>
    withFarm(async (farm) => {
      await expect(farm.log('North 1', { ...minutes, durationMin: 0 }, key)).rejects.toThrow();
      expect((await farm.log('North 1', minutes, key)).event.durationMin).toBe(45);
    }));
});

describe('record and write are one transaction', () => {
  it.each([
    ['the write goes when its record cannot be written', 'idempotency'],
    ['the record goes when the write fails', 'waterings'],
  ])('%s', (_, table) =>
    withFarm(async (farm) => {
      await whileInsertsFail(farm.store, table, () =>
        expect(farm.log('North 1', minutes, key)).rejects.toThrow(),
      );
      expect(await counts(farm)).toEqual({ waterings: 0, records: 0 });
      expect((await farm.log('North 1', minutes, key)).replayed).toBe(false);
    }),
  );
});

describe('fingerprint', () => {
  it('is the same for arguments in any order, at any depth', () => {
    expect(fingerprintArguments({ a: 1, b: { c: 2, d: [3] } })).toBe(
      fingerprintArguments({ b: { d: [3], c: 2 }, a: 1 }),
    );
  });

  it.each([
    ['a value', { a: 2 }],
    ['a type', { a: '1' }],
    ['one more argument', { a: 1, b: 1 }],
    ['a null', { a: null }],
    ['an array', { a: [1] }],
  ])('differs for %s', (_, other) => {
    expect(fingerprintArguments(other)).not.toBe(fingerprintArguments({ a: 1 }));
  });

  it('depends on the order of an array', () => {
    expect(fingerprintArguments({ a: [1, 2] })).not.toBe(fingerprintArguments({ a: [2, 1] }));
  });

  it('ignores undefined values', () => {
    expect(fingerprintArguments({ a: 1, b: undefined })).toBe(fingerprintArguments({ a: 1 }));
  });
});
