import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, type TestFarm, withFarm } from '../../farm.ts';
import { propertyRuns } from '../../property-runs.ts';
import { isOnPostgres } from '../../stores/stores.ts';

type Action =
  | { kind: 'correct'; next: boolean }
  | { kind: 'skip' }
  | { kind: 'times'; startTimes: string[] }
  | { kind: 'policy'; confirmationPolicy: string }
  | { kind: 'active'; isActive: boolean }
  | { kind: 'equip'; flowMmPerH: number };

interface History {
  readonly from: string;
  readonly timezone: string;
  readonly startTimes: string[];
  readonly intervalDays: number;
  readonly events: { hours: number; action: Action }[];
  readonly rest: number;
}

/** Settings begin days before a clock change of their zone. */
const SETTINGS: [string, string][] = [
  ['2026-10-20T12:00:00Z', 'Europe/Paris'],
  ['2026-03-27T12:00:00Z', 'Europe/Paris'],
  ['2026-10-29T12:00:00Z', 'America/New_York'],
  ['2026-10-01T12:00:00Z', 'Australia/Lord_Howe'],
];

/**
 * Everything stored at the end of a history, with housekeeping in `passTime`: rows by schedule,
 * probe and start, without the times at which they were written, and the horizon of each schedule.
 */
async function recordsAfter(
  history: History,
  passTime: (farm: TestFarm, hours: number) => Promise<void>,
): Promise<string[]> {
  return withFarm(async (farm) => {
    farm.now = Date.parse(history.from);
    const { timezone, startTimes, intervalDays } = history;
    await farm.declareParcel('North block', { system: 'sprinkler', flowMmPerH: 6 });
    const plan = { parcel: 'North block', timezone, startTimes, intervalDays };
    const schedules = [
      await farm.createSchedule(plan),
      await farm.createSchedule({ ...plan, confirmationPolicy: 'manual' }),
    ];
    for (const { hours, action } of history.events) {
      await passTime(farm, hours);
      if (action.kind === 'equip')
        await farm.declare('North 1', { system: 'sprinkler', flowMmPerH: action.flowMmPerH });
      else for (const schedule of schedules) await act(farm, schedule, action);
    }
    await passTime(farm, history.rest);
    await farm.tick();
    const rows = await farm.write((db) => db.selectFrom('waterings').selectAll().execute());
    const records = rows.map(({ id: _, created_at: __, dose_computed_at: ___, ...row }) =>
      JSON.stringify(row),
    );
    const { data } = await farm.wire<{ data: object[] }>('list_schedules');
    return [...records, ...data.map((schedule) => JSON.stringify(schedule))];
  });
}

async function act(
  farm: TestFarm,
  schedule: { id: number },
  action: Exclude<Action, { kind: 'equip' }>,
): Promise<void> {
  switch (action.kind) {
    case 'times':
      await farm.updateSchedule(schedule, { startTimes: action.startTimes });
      return;
    case 'policy':
      await farm.updateSchedule(schedule, { confirmationPolicy: action.confirmationPolicy });
      return;
    case 'active':
      await farm.updateSchedule(schedule, { isActive: action.isActive });
      return;
  }
  const rows = await farm.occurrences(schedule);
  const row =
    action.kind === 'correct' && !action.next
      ? rows.filter(({ startedAt }) => Date.parse(startedAt) <= farm.now).at(-1)
      : rows.find(({ startedAt }) => Date.parse(startedAt) > farm.now);
  if (row)
    await farm.correct(row, action.kind === 'skip' ? { status: 'skipped' } : { durationMin: 17 });
}

const differences = (one: readonly string[], other: readonly string[]): string[] => {
  const [inOne, inOther] = [new Set(one), new Set(other)];
  return [...one.filter((line) => !inOther.has(line)), ...other.filter((line) => !inOne.has(line))];
};
const compared = async (history: History, step: number): Promise<string[]> =>
  differences(await recordsAfter(history, none), await recordsAfter(history, every(step)));

const every =
  (step: number) =>
  async (farm: TestFarm, hours: number): Promise<void> => {
    for (const end = farm.now + hours * HOUR; farm.now < end; ) {
      farm.now = Math.min(end, farm.now + step * HOUR);
      await farm.tick();
    }
  };
const none = async (farm: TestFarm, hours: number): Promise<void> => {
  farm.now += hours * HOUR;
};

const anyTimes = fc
  .uniqueArray(fc.constantFrom('00:00', '02:00', '02:15', '02:30', '03:30', '06:00', '18:00'), {
    minLength: 1,
    maxLength: 3,
  })
  .map((times) => times.sort());
const anyChange: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ kind: fc.constant('times' as const), startTimes: anyTimes }),
  fc.record({
    kind: fc.constant('policy' as const),
    confirmationPolicy: fc.constantFrom('auto', 'manual'),
  }),
  fc.record({ kind: fc.constant('active' as const), isActive: fc.boolean() }),
  fc.record({ kind: fc.constant('equip' as const), flowMmPerH: fc.integer({ min: 1, max: 12 }) }),
);
/** Includes corrections of rows, which must have been materialized. */
const anyAction: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('correct' as const), next: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.constant<Action>({ kind: 'skip' }) },
  { weight: 4, arbitrary: anyChange },
);
const history = (
  hours: fc.Arbitrary<number>,
  action: fc.Arbitrary<Action>,
  maxLength: number,
): fc.Arbitrary<History> =>
  fc
    .record({
      setting: fc.constantFrom(...SETTINGS),
      startTimes: anyTimes,
      intervalDays: fc.integer({ min: 1, max: 4 }),
      events: fc.array(fc.record({ hours, action }), { maxLength }),
      rest: hours,
    })
    .map(({ setting: [from, timezone], ...rest }) => ({ from, timezone, ...rest }));

describe('the records are the same', () => {
  it('for hourly housekeeping and a single round, across a change of clocks', () =>
    fc.assert(
      fc.asyncProperty(history(fc.integer({ min: 1, max: 60 }), anyAction, 4), async (each) => {
        expect(await compared(each, 1)).toEqual([]);
      }),
      { numRuns: propertyRuns(6) },
    ));

  it('for weekly housekeeping and a single round, beyond the horizon of 90 days', () =>
    fc.assert(
      fc.asyncProperty(
        history(fc.integer({ min: 1, max: 130 * 24 }), anyChange, 3),
        async (each) => {
          const longer = { ...each, rest: each.rest + 91 * 24 };
          expect(await compared(longer, 7 * 24)).toEqual([]);
        },
      ),
      { numRuns: propertyRuns(6) },
    ));

  it('for rounds every few hours and a single one, with an auto and a manual schedule', async () => {
    const plain: History = {
      from: '2026-10-20T12:00:00Z',
      timezone: 'Europe/Paris',
      startTimes: ['06:00'],
      intervalDays: 3,
      events: [],
      rest: (93 * DAY) / HOUR,
    };
    expect(await compared(plain, isOnPostgres ? 12 : 3)).toEqual([]);
  });
});
