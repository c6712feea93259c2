import { describe, expect, it } from 'vitest';
import { readToolArguments } from '../../src/operation/arguments/tool-arguments.ts';
import { LocalRunner } from '../../src/operation/local/local-runner.ts';
import { fingerprintArguments } from '../../src/operation/replay/idempotency.ts';
import type { Advisory } from '../../src/schema/advisory.ts';
import { newestChangeId } from '../../src/store/changes/changes.ts';
import { openStore } from '../../src/store/store.ts';
import { operationsByName } from '../../tools/index.ts';
import {
  advisoriesOf,
  DAY,
  FARM_NOW,
  HOUR,
  iso,
  MINUTE,
  type TestFarm,
  withFarm,
} from '../farm.ts';
import { whileInsertsFail } from '../stores/stores.ts';
import STORED_ANSWERS from './stored-answers.json' with { type: 'json' };

const minutes = { startedAt: iso(FARM_NOW - HOUR), inputMode: 'duration', durationMin: 45 };
const key = { idempotencyKey: 'k-1' };

/** Returns a replayed answer without what it says first. */
async function replay<Answer extends { readonly replaySummary?: string }>(answer: Promise<Answer>) {
  const { replaySummary, ...firstAnswer } = await answer;
  expect(replaySummary).toBeDefined();
  return firstAnswer;
}

const newestChange = (farm: TestFarm): Promise<{ changeId: number }> =>
  farm.write(async (db) => ({ changeId: (await newestChangeId(db)) ?? 0 }));

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
      const second = await replay(farm.log('North 1', minutes, key));
      expect(first.replayed).toBe(false);
      expect(second).toEqual({ ...first, replayed: true });
      expect(await counts(farm)).toEqual({ waterings: 1, records: 1 });
    }));

  it('keeps the words of the summary when today has become yesterday', () =>
    withFarm(async (farm) => {
      const first = await farm.log('North 1', { ...minutes, startedAt: '2026-07-01 06:00' }, key);
      farm.now += 20 * HOUR;
      const second = await farm.log('North 1', { ...minutes, startedAt: '2026-07-01 06:00' }, key);
      expect(second.summary).toBe(first.summary);
    }));

  it('replays an answer in English, whatever the language of the caller who repeats it', () =>
    withFarm(async (farm) => {
      await farm.log('North 1', minutes);
      const english = await farm.log('North 1', minutes, key);
      const french = await farm.log('North 1', minutes, { ...key, lang: 'fr' });
      expect(advisoriesOf(english, 'overlapping_watering')).toHaveLength(1);
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
      expect(await replay(farm.tool(tool, args, key))).toEqual({ ...first, replayed: true });
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

describe('a replay', () => {
  const fatesOf = ({ advisories }: { readonly advisories: readonly Advisory[] }) =>
    advisories.filter(({ kind }) => kind === 'undone_since' || kind === 'changed_since');
  const logAgain = async (farm: TestFarm) => fatesOf(await farm.log('North 1', minutes, key));

  it('says first when it was logged and for which time', () =>
    withFarm(async (farm) => {
      const first = await farm.log('North 1', minutes, key);
      farm.now += 2 * HOUR;
      const again = await farm.log('North 1', minutes, key);
      expect(first.replaySummary).toBeUndefined();
      // Logged at noon in Paris, of a watering from 11:00 to 11:45.
      for (const time of ['12:00', '11:00', '11:45']) expect(again.replaySummary).toContain(time);
      expect(fatesOf(again)).toEqual([]);
    }));

  it.each([
    ['rain', 'log_rain', { mm: 5, when: iso(FARM_NOW - HOUR) }],
    ['the waterings of a whole parcel', 'log_watering', { parcel: 'North block', ...minutes }],
  ])('has the time of %s', (_, tool, args) =>
    withFarm(async (farm) => {
      const log = () => farm.tool(tool, args, key);
      await log();
      expect((await log()).replaySummary).toContain('11:00');
    }),
  );

  it('knows that it was undone since, until that is undone too', () =>
    withFarm(async (farm) => {
      await farm.log('North 1', minutes, key);
      const { changeId } = await farm.tool('undo').then(() => newestChange(farm));
      expect(await logAgain(farm)).toMatchObject([
        { kind: 'undone_since', changeId, keptWaterings: 0, isOfStored: false },
      ]);
      await farm.tool('undo', { changeId });
      expect(await logAgain(farm)).toEqual([]);
    }));

  it('knows that a correction was undone since, and not that its watering is gone', () =>
    withFarm(async (farm) => {
      const { event } = await farm.log('North 1', minutes);
      const correct = () =>
        farm.tool('correct_watering', { eventId: event.id, durationMin: 10 }, key);
      await correct();
      await farm.tool('undo');
      expect(fatesOf(await correct())).toMatchObject([{ kind: 'undone_since', isOfStored: true }]);
    }));

  it('knows that the undo of a schedule left what had begun', () =>
    withFarm(async (farm) => {
      const schedule = { module: 'North 1', startTimes: ['18:00'] };
      await farm.createSchedule(schedule, key);
      farm.now += 7 * HOUR;
      await farm.tool('undo');
      farm.now += HOUR;
      expect(fatesOf(await farm.createSchedule(schedule, key))).toMatchObject([
        { kind: 'undone_since', keptWaterings: 1, isScheduleKept: true },
      ]);
    }));

  it.each([
    ['another amount', { durationMin: 45 }, { durationMin: 10 }],
    ['cancelled', { status: 'done' }, { status: 'skipped' }],
  ])('knows what was changed since: %s', (_, before, after) =>
    withFarm(async (farm) => {
      const { event } = await farm.log('North 1', minutes, key);
      await farm.correct(event, after);
      expect(await logAgain(farm)).toMatchObject([
        {
          kind: 'changed_since',
          effects: { counts: { 'watering changed': 1 }, rows: [{ before, after }] },
        },
      ]);
    }),
  );

  it('knows nothing of a later change of another row', () =>
    withFarm(async (farm) => {
      await farm.log('North 1', minutes, key);
      const { event } = await farm.log('North 1', { ...minutes, startedAt: '2026-06-30 06:00' });
      await farm.correct(event, { durationMin: 10 });
      expect(await logAgain(farm)).toEqual([]);
    }));
});

describe('an answer that was stored when sentences were strings', () => {
  it('is replayed in the same words', () =>
    withFarm(async (farm) => {
      const keyOf = (index: number) => ({ idempotencyKey: `k-${index}` });
      for (const [index, { tool, args }] of STORED_ANSWERS.entries())
        await farm.tool(tool, args, keyOf(index));
      for (const [index, { body, advisories }] of STORED_ANSWERS.entries())
        await farm.write((db) =>
          db
            .updateTable('idempotency')
            .set({ body: JSON.stringify(body), advisories: JSON.stringify(advisories) })
            .where('key', '=', `k-${index}`)
            .execute(),
        );

      farm.now += HOUR;
      const replays = [];
      for (const [index, { tool, args }] of STORED_ANSWERS.entries())
        replays.push(await farm.tool(tool, args, keyOf(index)));
      expect(
        replays.map(({ replaySummary, summary, next }) => ({ replaySummary, summary, next })),
      ).toEqual(STORED_ANSWERS.map(({ replay }) => replay));
    }));
});

describe('the same words under the same key, sent later', () => {
  const startingAt = (startedAt: string) => ({ ...minutes, startedAt });

  it.each([
    ['20 minutes ago', 4 * MINUTE],
    ['2026-07-01 06:00', 20 * HOUR],
    ['2026-07-01T04:00:00Z', 20 * HOUR],
    ['today 06:00', 11 * HOUR],
  ])('are the same arguments if they mean the same time: "%s"', (words, later) =>
    withFarm(async (farm) => {
      const first = await farm.log('North 1', startingAt(words), key);
      farm.now += later;
      expect(await replay(farm.log('North 1', startingAt(words), key))).toEqual({
        ...first,
        replayed: true,
      });
    }),
  );

  it.each([
    ['20 minutes ago', 6 * MINUTE, /^Already logged today 12:00, for today 11:40 to 12:25: 1 wat/],
    [
      '20 minutes ago',
      3 * HOUR,
      /added [(]North 1, today 11:40[)][.] If this call means the same.*, when the same words meant another time[.]$/,
    ],
    ['today 06:00', 20 * HOUR, /^Already logged yesterday 12:00, for yesterday 06:00 to 06:45: /],
  ])('are other arguments if they mean another time: "%s"', (words, later, message) =>
    withFarm(async (farm) => {
      await farm.log('North 1', startingAt(words), key);
      farm.now += later;
      await expect(farm.log('North 1', startingAt(words), key)).rejects.toMatchObject({
        code: 'IDEMPOTENCY_KEY_REUSED',
        status: 422,
        message: expect.stringMatching(message),
      });
      expect(await counts(farm)).toEqual({ waterings: 1, records: 1 });
    }),
  );

  it('are other arguments where they are a day, or an end', () =>
    withFarm(async (farm) => {
      const schedule = { module: 'North 1', startsOn: 'tomorrow' };
      const ended = { ...minutes, startedAt: '2026-07-01 06:00', endedAt: '5 minutes ago' };
      const { durationMin: _, ...endedAlone } = ended;
      await farm.createSchedule(schedule, key);
      await farm.log('North 1', endedAlone, key);
      farm.now += 20 * HOUR;
      for (const call of [
        () => farm.createSchedule(schedule, key),
        () => farm.log('North 1', endedAlone, key),
      ])
        await expect(call()).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    }));

  it('are the same arguments where an hour alone is on the day of what is corrected', () =>
    withFarm(async (farm) => {
      const { event } = await farm.log('North 1', minutes);
      const move = () =>
        farm.tool('correct_watering', { eventId: event.id, startedAt: '07:30' }, key);
      await move();
      farm.now += 20 * HOUR;
      expect((await move()).replayed).toBe(true);
    }));

  it('are refused with what became of the earlier entry', () =>
    withFarm(async (farm) => {
      await farm.log('North 1', startingAt('20 minutes ago'), key);
      await farm.tool('undo');
      farm.now += 3 * HOUR;
      await expect(farm.log('North 1', startingAt('20 minutes ago'), key)).rejects.toMatchObject({
        message: expect.stringMatching(
          /This was undone since: nothing of it is stored[.] This idempotencyKey was used for it, when the same words meant another time[.]$/,
        ),
      });
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
        message:
          'Already logged today 12:00, for today 11:00 to 11:45: 1 watering added (North 1, today 11:00). ' +
          'If this call means the same, there is nothing to do: this idempotencyKey was used for it, with other arguments.',
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
