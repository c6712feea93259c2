import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  missingOccurrences,
  type Occurrence,
} from '../../../src/domain/irrigation/occurrence-planner.ts';
import {
  instantOfStart,
  type Recurrence,
  scheduledTimesWithin,
} from '../../../src/domain/irrigation/recurrence.ts';
import {
  pairStartTimes,
  planRegeneration,
} from '../../../src/domain/irrigation/regeneration-plan.ts';
import type { WateringInput } from '../../../src/domain/irrigation/watering-amount.ts';
import { propertyRuns } from '../../property-runs.ts';
import { DAY, MINUTE } from '../../time.ts';
import { depth, EMPTY_PLAN, minutes, ScheduleSimulation, utc } from './schedule-simulation.ts';

type ScheduleEvent =
  | { kind: 'wait'; minutes: number }
  | { kind: 'times'; startTimes: string[] }
  | { kind: 'rule'; rule: Partial<Recurrence> }
  | { kind: 'dates'; starts: number; ends: number | null }
  | { kind: 'zone'; pick: number }
  | { kind: 'amount'; input: WateringInput }
  | { kind: 'active'; isActive: boolean }
  | { kind: 'probes'; moduleIds: number[] }
  | { kind: 'equipment'; moduleId: number; hours: number; flowMmPerH: number }
  | { kind: 'correct'; pick: number; changes: { minutes: number; depthMm: number } }
  | { kind: 'skip'; pick: number };

/** Days with a change of clocks, and zones that a schedule can move to. */
const SETTINGS = [
  {
    day: '2025-03-28',
    zones: ['Europe/Paris', 'Asia/Beirut', 'Antarctica/Troll', 'Pacific/Auckland', 'Asia/Kolkata'],
  },
  { day: '2025-10-03', zones: ['Australia/Lord_Howe', 'Australia/Sydney', 'Pacific/Honolulu'] },
  { day: '2025-11-01', zones: ['America/New_York', 'America/Havana', 'Europe/Paris'] },
  { day: '2011-12-28', zones: ['Pacific/Apia', 'Pacific/Fakaofo', 'Pacific/Pago_Pago'] },
];
const TIMES = '00:00 00:30 02:00 02:15 02:30 02:45 03:00 03:30 05:30 06:00 18:00 23:45'.split(' ');

const anyTimes = (maxLength: number): fc.Arbitrary<string[]> =>
  fc
    .uniqueArray(fc.constantFrom(...TIMES), { minLength: 1, maxLength })
    .map((times) => times.sort());
const anyWait: fc.Arbitrary<ScheduleEvent> = fc.record({
  kind: fc.constant('wait'),
  minutes: fc.oneof(
    fc.integer({ min: 1, max: 36 * 4 }).map((n) => n * 15),
    fc.integer({ min: 1, max: 9 * 24 * 60 }),
  ),
});
const anyCorrection: fc.Arbitrary<ScheduleEvent> = fc.oneof(
  fc.record({ kind: fc.constant('skip' as const), pick: fc.nat(60) }),
  fc.record({
    kind: fc.constant('correct' as const),
    pick: fc.nat(60),
    changes: fc.record({
      minutes: fc.integer({ min: -3000, max: 3000 }),
      depthMm: fc.integer({ min: 1, max: 9 }),
    }),
  }),
);
const timesOf = (maxLength: number): fc.Arbitrary<ScheduleEvent> =>
  fc.record({ kind: fc.constant('times'), startTimes: anyTimes(maxLength) });
const anyRule: fc.Arbitrary<ScheduleEvent> = fc.record({
  kind: fc.constant('rule'),
  rule: fc.oneof(
    fc.record({
      freq: fc.constant('daily' as const),
      intervalDays: fc.integer({ min: 1, max: 3 }),
      weekdays: fc.constant(null),
    }),
    fc.record({
      freq: fc.constant('weekly' as const),
      intervalDays: fc.constant(null),
      weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
    }),
  ),
});
const anySetting: fc.Arbitrary<ScheduleEvent> = fc.oneof(
  fc.record({
    kind: fc.constant('dates' as const),
    starts: fc.integer({ min: -2, max: 4 }),
    ends: fc.option(fc.integer({ min: 1, max: 8 })),
  }),
  fc.record({
    kind: fc.constant('amount' as const),
    input: fc.oneof(
      fc.integer({ min: 1, max: 90 }).map(minutes),
      fc.integer({ min: 1, max: 9 }).map(depth),
    ),
  }),
  fc.record({ kind: fc.constant('active' as const), isActive: fc.boolean() }),
  fc.record({ kind: fc.constant('probes' as const), moduleIds: fc.subarray([1, 2, 3]) }),
  fc.record({
    kind: fc.constant('equipment' as const),
    moduleId: fc.integer({ min: 1, max: 3 }),
    hours: fc.integer({ min: -48, max: 96 }),
    flowMmPerH: fc.integer({ min: 1, max: 20 }),
  }),
);
const anyZone: fc.Arbitrary<ScheduleEvent> = fc.record({
  kind: fc.constant('zone'),
  pick: fc.nat(10),
});

interface Story {
  setting: (typeof SETTINGS)[number];
  partSize: number;
  startTimes: string[];
  events: ScheduleEvent[];
}
const story = (event: fc.Arbitrary<ScheduleEvent>, maxTimes: number): fc.Arbitrary<Story> =>
  fc.record({
    setting: fc.constantFrom(...SETTINGS),
    partSize: fc.constantFrom(Number.POSITIVE_INFINITY, 1, 3),
    startTimes: anyTimes(maxTimes),
    events: fc.array(event, { minLength: 2, maxLength: 14 }),
  });
const anyStory = story(
  fc.oneof(
    anyWait,
    anyCorrection,
    anyCorrection,
    timesOf(4),
    timesOf(4),
    anyRule,
    anySetting,
    anyZone,
  ),
  4,
);

/**
 * Slots of corrected rows by id, followed through changes of start times: each takes the scheduled start of
 * the paired time that is free.
 */
type CorrectedKeys = Map<number, string>;

function followKeys(
  correctedKeys: CorrectedKeys,
  schedule: ScheduleSimulation,
  before: readonly string[],
  after: readonly string[],
): void {
  const removed = before.filter((time) => !after.includes(time));
  const added = after.filter((time) => !before.includes(time));
  const keyOf = (row: Occurrence): string => correctedKeys.get(row.id) ?? row.scheduledStart;
  // Corrected rows stay, and those at or before now.
  const staying = schedule.rows.filter((row) => row.isDetached || row.startedAt <= schedule.now);
  for (const row of staying) {
    const key = correctedKeys.get(row.id);
    const index = key === undefined ? -1 : removed.indexOf(key.slice(11));
    if (index === -1 || index >= added.length) continue;
    const pair = `${key!.slice(0, 11)}${added[index]}`;
    if (!staying.some((other) => other.moduleId === row.moduleId && keyOf(other) === pair))
      correctedKeys.set(row.id, pair);
  }
}

/** The future uncorrected rows, from the rule, the staying rows and the rates. */
function expectedAhead(schedule: ScheduleSimulation, correctedKeys: CorrectedKeys): string[] {
  const zone = schedule.rule.timezone;
  const lines: string[] = [];
  for (const moduleId of schedule.isActive ? schedule.moduleIds : []) {
    const staying = schedule.rows.filter(
      (row) => row.moduleId === moduleId && (row.isDetached || row.startedAt <= schedule.now),
    );
    const keys = staying.map((row) => correctedKeys.get(row.id) ?? row.scheduledStart);
    const instants = keys.map((key) => instantOfStart(key, zone));
    for (const { scheduledStart, startedAt } of scheduledTimesWithin(
      schedule.rule,
      schedule.now + 1,
      schedule.now + schedule.horizon,
    )) {
      if (keys.includes(scheduledStart) || instants.includes(startedAt)) continue;
      const rates = (schedule.rates.get(moduleId) ?? []).filter(({ from }) => from <= startedAt);
      const latest = rates.reduce((best, rate) => (rate.from >= best.from ? rate : best), {
        from: 0,
        flowMmPerH: 6,
      });
      const { mode, value } = schedule.input.amount;
      const mm = mode === 'depth_mm' ? value : (latest.flowMmPerH * value) / 60;
      lines.push(
        `${moduleId} ${scheduledStart} ${utc(startedAt)} ${mm} mm at ${latest.flowMmPerH}`,
      );
    }
  }
  return lines.sort();
}

const isAhead = (row: Occurrence, now: number): boolean => !row.isDetached && row.startedAt > now;

const actualAhead = (schedule: ScheduleSimulation): string[] =>
  schedule.rows
    .filter((row) => isAhead(row, schedule.now))
    .map(
      ({ moduleId, scheduledStart, startedAt, waterMm, snapshot }) =>
        `${moduleId} ${scheduledStart} ${utc(startedAt)} ${waterMm} mm at ${snapshot!.flowMmPerH}`,
    )
    .sort();

/** Everything that a change must leave: of corrected rows all but the scheduled start. */
const withoutFollowingKey = ({ scheduledStart, ...row }: Occurrence): unknown =>
  row.isDetached ? row : { ...row, scheduledStart };

const dateAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);

function applyEvent(
  schedule: ScheduleSimulation,
  event: ScheduleEvent,
  { day, zones }: Story['setting'],
  correctedKeys: CorrectedKeys,
): void {
  if (event.kind === 'wait') {
    schedule.waitUntil(schedule.now + event.minutes * MINUTE);
    return;
  }
  if (event.kind === 'skip' || event.kind === 'correct') {
    const row = schedule.rows[event.pick % schedule.rows.length];
    if (row === undefined) return;
    if (!correctedKeys.has(row.id)) correctedKeys.set(row.id, row.scheduledStart);
    if (event.kind === 'skip') {
      schedule.correct(row, { status: 'skipped' });
      return;
    }
    const startedAt = row.startedAt + event.changes.minutes * MINUTE;
    const status = startedAt <= schedule.now ? 'done' : 'planned';
    schedule.correct(row, { startedAt, status, ...depth(event.changes.depthMm) });
    return;
  }
  schedule.settle();
  const before = schedule.rows;
  const { startTimes } = schedule.rule;
  if (event.kind === 'times') followKeys(correctedKeys, schedule, startTimes, event.startTimes);
  const plan = schedule.change((it) => {
    if (event.kind === 'times') it.rule = { ...it.rule, startTimes: event.startTimes };
    if (event.kind === 'rule') it.rule = { ...it.rule, ...event.rule };
    if (event.kind === 'dates') {
      const { starts, ends } = event;
      it.rule = {
        ...it.rule,
        startsOn: dateAfter(day, starts),
        endsOn: ends === null ? null : dateAfter(day, ends),
      };
    }
    if (event.kind === 'zone')
      it.rule = { ...it.rule, timezone: zones[event.pick % zones.length]! };
    if (event.kind === 'amount') it.input = event.input;
    if (event.kind === 'active') it.isActive = event.isActive;
    if (event.kind === 'probes') it.moduleIds = event.moduleIds;
    if (event.kind === 'equipment') {
      const { moduleId, hours, flowMmPerH } = event;
      const from = it.now + hours * 60 * MINUTE;
      it.rates.set(moduleId, [...(it.rates.get(moduleId) ?? []), { from, flowMmPerH }]);
    }
  });
  const pairs = pairStartTimes(startTimes, schedule.rule.startTimes);

  // Past and corrected rows stay as they are, and are counted.
  const unaffected = before.filter((row) => !isAhead(row, schedule.now));
  expect(unaffected.map(({ id }) => withoutFollowingKey(schedule.row(id)))).toEqual(
    unaffected.map(withoutFollowingKey),
  );
  expect(plan.detachedCount).toBe(
    before.filter((row) => row.isDetached && row.startedAt > schedule.now).length,
  );
  const ids = new Set(unaffected.map(({ id }) => id));
  expect([...plan.change, ...plan.remove].filter(({ id }) => ids.has(id))).toEqual([]);
  // A row reported as changed is changed, and a moved one has its former instant.
  for (const { id, movedFrom } of plan.change) {
    const [old, row] = [before.find((each) => each.id === id)!, schedule.row(id)];
    expect(movedFrom).toBe(old.startedAt === row.startedAt ? null : old.startedAt);
    expect({ ...old, snapshot: { ...old.snapshot, computedAt: 0 } }).not.toEqual({
      ...row,
      snapshot: { ...row.snapshot, computedAt: 0 },
    });
  }
  // A row whose scheduled start, or paired scheduled start, still exists keeps its id.
  for (const old of before.filter((row) => isAhead(row, schedule.now))) {
    const [date, time] = [old.scheduledStart.slice(0, 11), old.scheduledStart.slice(11)];
    const successor = schedule.rows.find(
      (row) =>
        row.moduleId === old.moduleId &&
        isAhead(row, schedule.now) &&
        row.scheduledStart === `${date}${pairs.get(time) ?? time}`,
    );
    if (successor !== undefined) expect(successor.id).toBe(old.id);
  }
  // A second regeneration changes nothing, with or without the pairs, and nothing is missing.
  const unchangedPlan = { ...EMPTY_PLAN, detachedCount: plan.detachedCount };
  expect(planRegeneration(schedule.window(), schedule.rows)).toEqual(unchangedPlan);
  expect(planRegeneration(schedule.window(), schedule.rows, pairs)).toEqual(unchangedPlan);
  // Planning continues after the instant of a change, which itself the change decides.
  expect(missingOccurrences(schedule.window(schedule.now + 1), schedule.rows)).toEqual([]);
}

function runStory(
  { setting, partSize, startTimes, events }: Story,
  after: (schedule: ScheduleSimulation, correctedKeys: CorrectedKeys) => void,
): void {
  const { day, zones } = setting;
  const schedule = new ScheduleSimulation(`${day}T12:00:00Z`, {
    timezone: zones[0]!,
    startTimes,
    startsOn: day,
  });
  schedule.partSize = partSize;
  const correctedKeys: CorrectedKeys = new Map();
  schedule.change((it) => it.moduleIds.push(2));
  for (const event of events) {
    applyEvent(schedule, event, setting, correctedKeys);
    after(schedule, correctedKeys);
  }
}

describe('any history of a schedule', () => {
  it('has exactly the future rows of the rule, without the corrected ones, with current doses', () => {
    fc.assert(
      fc.property(anyStory, (it) =>
        runStory(it, (schedule, correctedKeys) =>
          expect(actualAhead(schedule)).toEqual(expectedAhead(schedule, correctedKeys)),
        ),
      ),
      { numRuns: propertyRuns(150) },
    );
  });

  it('has one row per scheduled start, and no two uncorrected rows that start together on a probe', () => {
    fc.assert(
      fc.property(anyStory, (it) =>
        runStory(it, ({ rows }) => {
          const untouched = rows.filter(({ isDetached }) => !isDetached);
          expect(
            new Set(rows.map(({ moduleId, scheduledStart }) => `${moduleId} ${scheduledStart}`))
              .size,
          ).toBe(rows.length);
          expect(
            new Set(untouched.map(({ moduleId, startedAt }) => `${moduleId} ${startedAt}`)).size,
          ).toBe(untouched.length);
        }),
      ),
      { numRuns: propertyRuns(150) },
    );
  });

  it('adds no watering to a day whose only one was corrected or skipped, however its time changes', () => {
    const event = fc.oneof(
      anyWait,
      anyCorrection,
      anyCorrection,
      timesOf(1),
      timesOf(1),
      anyRule,
      anySetting,
    );
    fc.assert(
      fc.property(story(event, 1), (it) => {
        const days = new Set<string>();
        runStory(it, ({ rows, rule }) => {
          const isTaken = ({ scheduledStart, isDetached }: Occurrence): boolean =>
            isDetached && rule.startTimes.includes(scheduledStart.slice(11));
          const rowsOf = new Map<string, Occurrence[]>();
          for (const row of rows) {
            const day = `${row.moduleId} ${row.scheduledStart.slice(0, 10)}`;
            rowsOf.set(day, [...(rowsOf.get(day) ?? []), row]);
          }
          for (const [day, those] of rowsOf)
            if (those.length === 1 && isTaken(those[0]!)) days.add(day);
          expect([...days].filter((day) => rowsOf.get(day)!.length > 1)).toEqual([]);
        });
      }),
      { numRuns: propertyRuns(250) },
    );
  });

  it('is the same whether settled every hour or once at the end', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SETTINGS),
        anyTimes(4),
        anyRule,
        fc.integer({ min: 1, max: 12 * 24 }),
        (setting, startTimes, other, hours) => {
          const rule = {
            timezone: setting.zones[0]!,
            startTimes,
            ...(other.kind === 'rule' ? other.rule : {}),
          };
          const [hourly, once] = [0, 1].map(() =>
            new ScheduleSimulation(`${setting.day}T12:00:00Z`, rule).waitUntil(
              `${setting.day}T12:00:00Z`,
            ),
          );
          for (let hour = 1; hour <= hours; hour++) hourly!.waitUntil(hourly!.now + 60 * MINUTE);
          once!.waitUntil(once!.now + hours * 60 * MINUTE);
          expect(hourly!.rowTexts()).toEqual(once!.rowTexts());
        },
      ),
      { numRuns: propertyRuns(40) },
    );
  });
});
