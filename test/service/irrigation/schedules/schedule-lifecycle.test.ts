import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entryOf } from '../../../../src/domain/items.ts';
import { civilAt } from '../../../../src/domain/time-zone.ts';
import type { ScheduleBody } from '../../../../src/schema/irrigation/schedule.ts';
import type { WateringBody } from '../../../../src/schema/irrigation/watering.ts';
import { DAY, HOUR, iso, MINUTE, type TestFarm, withFarm } from '../../../farm.ts';
import { propertyRuns } from '../../../property-runs.ts';

type LifeEvent =
  | { kind: 'wait'; hours: number; ticks: boolean }
  | { kind: 'change'; fields: Record<string, unknown> }
  | { kind: 'times'; startTimes: string[] }
  | { kind: 'correct'; pick: number; hours: number; minutes: number }
  | { kind: 'skip'; pick: number }
  | { kind: 'confirm'; pick: number }
  | { kind: 'equip'; module: string; flowMmPerH: number }
  | { kind: 'move'; module: string; parcel: string };

interface Life {
  /** Noon UTC of the first day, a few days before a clock change in Paris. */
  readonly from: string;
  readonly startTimes: string[];
  readonly manual: boolean;
  readonly events: LifeEvent[];
}

const PROBES = ['North 1', 'North 2', 'North 3'];
const TIMES = ['00:00', '02:00', '02:30', '03:30', '06:00', '12:00', '21:45'];

const anyTimes = fc
  .uniqueArray(fc.constantFrom(...TIMES), { minLength: 1, maxLength: 3 })
  .map((times) => times.sort());
const anyEvent: fc.Arbitrary<LifeEvent> = fc.oneof(
  fc.record({
    kind: fc.constant('wait' as const),
    hours: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 80 * 24 })),
    ticks: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('times' as const), startTimes: anyTimes }),
  fc.record({
    kind: fc.constant('change' as const),
    fields: fc.constantFrom<Record<string, unknown>>(
      { durationMin: 20 },
      { durationMin: 50 },
      { intervalDays: 2 },
      { intervalDays: 3 },
      { isActive: false },
      { isActive: true },
      { timezone: 'Europe/Lisbon' },
      { timezone: 'Europe/Paris' },
      { confirmationPolicy: 'manual' },
      { confirmationPolicy: 'auto' },
    ),
  }),
  fc.record({
    kind: fc.constant('correct' as const),
    pick: fc.nat(30),
    hours: fc.integer({ min: -40, max: 40 }),
    minutes: fc.integer({ min: 1, max: 90 }),
  }),
  fc.record({ kind: fc.constant('skip' as const), pick: fc.nat(30) }),
  fc.record({ kind: fc.constant('confirm' as const), pick: fc.nat(30) }),
  fc.record({
    kind: fc.constant('equip' as const),
    module: fc.constantFrom(...PROBES),
    flowMmPerH: fc.integer({ min: 1, max: 9 }),
  }),
  fc.record({
    kind: fc.constant('move' as const),
    module: fc.constant('North 3'),
    parcel: fc.constantFrom('North block', 'South block'),
  }),
);
const anyLife: fc.Arbitrary<Life> = fc.record({
  from: fc.constantFrom('2026-03-26T12:00:00Z', '2026-10-22T12:00:00Z'),
  startTimes: anyTimes,
  manual: fc.boolean(),
  events: fc.array(anyEvent, { minLength: 2, maxLength: 9 }),
});

interface Occurrence {
  readonly row: WateringBody;
  readonly scheduledStart: string;
}

async function occurrencesOf(
  farm: TestFarm,
  schedule: { id: number },
): Promise<Map<number, Occurrence>> {
  // First the list, which plans and confirms what is due.
  const rows = await farm.occurrences(schedule);
  const starts = await farm.write((db) =>
    db.selectFrom('waterings').select(['id', 'scheduled_start']).execute(),
  );
  const startOf = new Map(starts.map((row) => [row.id, row.scheduled_start!]));
  return new Map(rows.map((row) => [row.id, { row, scheduledStart: entryOf(startOf, row.id) }]));
}

async function applyEvent(
  farm: TestFarm,
  schedule: { id: number },
  event: LifeEvent,
): Promise<number | null> {
  switch (event.kind) {
    case 'wait':
      farm.now += event.hours * HOUR;
      if (event.ticks) await farm.tick();
      return null;
    case 'change':
      await farm.updateSchedule(schedule, event.fields);
      return null;
    case 'times':
      await farm.updateSchedule(schedule, { startTimes: event.startTimes });
      return null;
    case 'equip':
      // Two versions cannot start at one instant.
      farm.now += MINUTE;
      await farm.declare(event.module, { system: 'sprinkler', flowMmPerH: event.flowMmPerH });
      return null;
    case 'move':
      await farm.importFile({
        modules: [{ uid: event.module, category: 'SOIL_PROBE', parcel: event.parcel }],
      });
      return null;
  }
  const rows = await farm.occurrences(schedule);
  const nearby = rows.filter(
    ({ startedAt }) => Math.abs(Date.parse(startedAt) - farm.now) < 6 * DAY,
  );
  const row = nearby[event.pick % nearby.length];
  if (row === undefined) return null;
  const at = Date.parse(row.startedAt);
  if (event.kind === 'skip') await farm.correct(row, { status: 'skipped' });
  else if (event.kind === 'confirm')
    await farm.correct(row, { status: at <= farm.now ? 'done' : 'planned' });
  else {
    const moved = at + event.hours * HOUR;
    const status = moved <= farm.now ? 'done' : 'planned';
    await farm.correct(row, { startedAt: iso(moved), durationMin: event.minutes, status });
  }
  return row.id;
}

const isUnchanged = (before: WateringBody, after: WateringBody | undefined): boolean =>
  after !== undefined &&
  (after.status === before.status || (before.status === 'planned' && after.status === 'done')) &&
  JSON.stringify({ ...after, status: '' }) === JSON.stringify({ ...before, status: '' });

async function playLife({ from, startTimes, manual, events }: Life): Promise<void> {
  await withFarm(async (farm) => {
    farm.now = Date.parse(from);
    const flows = new Map(PROBES.map((module) => [farm.idOf(module), 6]));
    for (const module of PROBES) await farm.declare(module, { system: 'sprinkler', flowMmPerH: 6 });
    const schedule = await farm.createSchedule({
      parcel: 'North block',
      startTimes,
      confirmationPolicy: manual ? 'manual' : 'auto',
      // Far enough apart to keep the log small.
      intervalDays: 3,
    });
    let current = await occurrencesOf(farm, schedule);
    let until = schedule.materializedUntil;
    for (const event of events) {
      const before = current;
      const was = farm.now;
      const touched = await applyEvent(farm, schedule, event);
      if (event.kind === 'equip') flows.set(farm.idOf(event.module), event.flowMmPerH);
      current = await occurrencesOf(farm, schedule);
      const where = () => `${JSON.stringify(event)} at ${iso(was)}`;

      for (const [id, { row }] of before) {
        if (id === touched) continue;
        const after = current.get(id)?.row;
        // A corrected row is unchanged; a past one can only become done.
        if (row.isDetached) expect(after, where()).toEqual(row);
        else if (Date.parse(row.startedAt) <= was)
          expect(isUnchanged(row, after), where()).toBe(true);
      }
      // A new row lies in the future or beyond the old horizon.
      const produced = Math.min(was, until === null ? was : Date.parse(until));
      for (const [id, { row }] of current)
        if (!before.has(id))
          expect(Date.parse(row.startedAt), where()).toBeGreaterThanOrEqual(produced);

      const { data } = await farm.tool<{ data: ScheduleBody[] }>('list_schedules');
      const { timezone, durationMin, materializedUntil } = data[0]!;
      until = materializedUntil;
      const occupied = new Set<string>();
      for (const { row, scheduledStart } of current.values()) {
        // One row per scheduled start, and no two untouched rows at one instant.
        for (const key of [
          `${row.moduleId} ${scheduledStart}`,
          ...(row.isDetached ? [] : [`${row.moduleId} ${row.startedAt}`]),
        ]) {
          expect(occupied.has(key), `${key} twice: ${where()}`).toBe(false);
          occupied.add(key);
        }
        if (row.isDetached || Date.parse(row.startedAt) <= farm.now) continue;
        // A future row lies at its scheduled start in local time, with the dose of the current setup.
        const local = civilAt(Date.parse(row.startedAt), timezone);
        const isGap = scheduledStart.slice(11, 13) === '02' && local.hour === 3;
        if (!isGap) expect(Number(scheduledStart.slice(11, 13)), where()).toBe(local.hour);
        expect(row.waterMm, where()).toBeCloseTo((flows.get(row.moduleId)! * durationMin!) / 60, 3);
      }
    }
    await farm.tick();
    expect(await farm.isWrittenBy(() => farm.tick())).toBe(false);
    const last = await farm.occurrences(schedule);
    await farm.updateSchedule(schedule, {});
    expect(await farm.occurrences(schedule)).toEqual(last);
  });
}

describe('any sequence of changes, corrections, skips, equipment, moves and ticks', () => {
  it('changes neither the past nor corrected rows, and waters no scheduled start twice', () =>
    fc.assert(fc.asyncProperty(anyLife, playLife), { numRuns: propertyRuns(25) }));
});
