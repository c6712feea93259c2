import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BALANCE_NEEDS,
  FULL_SOIL_BASES,
  type Reason,
  type ReasonFacts,
  reasonWith,
} from '../../../src/domain/advice/reason.ts';
import { REASON_KINDS, type ReasonKind } from '../../../src/domain/advice/reason-kinds.ts';
import { LINE_DOUBT_BASES } from '../../../src/domain/moisture/line-limits.ts';
import { CROPS } from '../../../src/domain/soil/allowed-depletion.ts';
import { adviceOfBody, toAdviceBody } from '../../../src/schema/advice/advice-body.ts';
import { reasonsOf, toBody } from '../../../src/schema/advice/reasons-of-body.ts';
import { adviceWith, CONDITIONS, REASON_CASES } from '../../recorded/facts/reason-facts.ts';

const instant = fc.integer({ min: 0, max: Date.UTC(2100, 0, 1) });
/** With decimals that no body rounds. */
const value = fc.integer({ min: 0, max: 9999 }).map((tenths) => tenths / 10);
const day = instant.map((at) => new Date(at).toISOString().slice(0, 10));
const nullable = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null });
const some = <T>(values: fc.Arbitrary<T>) => fc.array(values, { minLength: 1, maxLength: 3 });
/** From the surface down, as readings are given. */
const someDepths = fc
  .uniqueArray(fc.integer({ min: 0, max: 90 }), { minLength: 1, maxLength: 3 })
  .map((depths) => depths.sort((a, b) => a - b));

const ofDepths = <Row extends object>(row: fc.Arbitrary<Row>) =>
  fc
    .tuple(someDepths, fc.array(row, { minLength: 3, maxLength: 3 }))
    .map(([depths, rows]) =>
      depths.map((depthCm, index) => ({ ...rows[index % rows.length]!, depthCm })),
    );

const readingsOf = <Flag extends string>(reason: Flag) =>
  fc.record({
    readings: ofDepths(
      fc.record({
        reason: fc.constant(reason),
        value,
        limit: nullable(value),
        since: nullable(instant),
      }),
    ),
  });
const suspectOf = <Flag extends string>(reason: Flag) =>
  fc.record({
    suspect: ofDepths(
      fc.record({
        reason: fc.constant(reason),
        value,
        from: nullable(value),
        since: instant,
      }),
    ),
  });
const linesOf = <Line extends string>(line: Line) =>
  fc.record({
    lines: some(
      fc.record({
        line: fc.constant(line),
        height: value,
        expected: value,
        basis: fc.constantFrom(...LINE_DOUBT_BASES),
      }),
    ),
  });
const balance = fc.record(
  { since: day, deficitMm: value, from: fc.constantFrom(...FULL_SOIL_BASES) },
  { requiredKeys: ['since', 'deficitMm'] },
);
const silence = fc.record({ balanceNeeds: fc.subarray([...BALANCE_NEEDS], { minLength: 1 }) });
const roots = { crop: fc.constantFrom(...CROPS), fromCm: value, toCm: value };

const FACTS: { readonly [Kind in keyof ReasonFacts]: fc.Arbitrary<ReasonFacts[Kind]> } = {
  AT_REST: fc.record({ until: nullable(day), harvestedOn: nullable(day) }),
  RIPE: fc.record({ since: day }),
  TENSION_AT_ZERO: suspectOf('TENSION_AT_ZERO'),
  TENSION_AT_LIMIT: suspectOf('TENSION_AT_LIMIT'),
  TENSION_FELL: suspectOf('TENSION_FELL'),
  DEPTHS_JUMPED: fc.record({ at: instant, points: value }),
  MOSTLY_SILENT: fc.record({
    depths: some(fc.record({ depthCm: value, since: nullable(instant) })),
  }),
  NO_DATA: silence,
  STALE_DATA: silence,
  BY_BALANCE: balance,
  DRY_BY_BALANCE: balance,
  NO_RESPONSE: fc.record({ startedAt: some(instant), areScheduled: fc.boolean() }),
  PROBES_EXCHANGED: fc.record({ moduleId: fc.nat() }),
  LOG_SHIFTED: fc.record({ days: fc.integer({ min: -10, max: 10 }), startedAt: some(instant) }),
  TOO_WET: fc.record({ since: instant }),
  FIELD_CAPACITY_IN_DOUBT: linesOf('fieldCapacity'),
  WILTING_POINT_IN_DOUBT: linesOf('wiltingPoint'),
  TOO_DRY_FOR_SOIL: readingsOf('TOO_DRY_FOR_SOIL'),
  TOO_WET_FOR_SOIL: readingsOf('TOO_WET_FOR_SOIL'),
  SENSOR_FELL: readingsOf('SENSOR_FELL'),
  SENSOR_NOISY: readingsOf('SENSOR_NOISY'),
  SENSOR_DRIFTS: readingsOf('SENSOR_DRIFTS'),
  SENSOR_STUCK: readingsOf('SENSOR_STUCK'),
  DEPTHS_EXCHANGED: fc.record({ topCm: value, deepestCm: value }),
  DEEP_ROOTS_NOT_MEASURED: fc.record({ measuredToCm: value, rootDepthCm: value }),
  GAUGE_DOUBTFUL: fc.record({ mm: value, from: instant, until: instant }),
  BALANCE_DIFFERS: balance,
  PROBES_DIFFER: fc.record({ moduleIds: some(fc.integer({ min: 1, max: 99 })) }),
  FIELD_CAPACITY_ESTIMATED: fc.record({ errorMm: value }),
  NO_ROOT_DEPTH: fc.record(roots),
  ROOTS_TOO_DEEP: fc.record({ ...roots, rootDepthCm: value }),
  PLANNED_TODAY: fc.record({ plannedMm: value }),
  RUNOFF: fc.record({
    rateMmPerH: value,
    intakeMmPerH: value,
    parts: fc.integer({ min: 2, max: 9 }),
    minutesPerPart: value,
    pauseMin: value,
  }),
  LONGEST_RUN: fc.record({
    parts: fc.integer({ min: 2, max: 9 }),
    minutesPerPart: value,
    pauseMin: value,
  }),
};

const hasFacts = (kind: ReasonKind): kind is keyof ReasonFacts => kind in FACTS;

const withFacts = <Kind extends keyof ReasonFacts>(kind: Kind): fc.Arbitrary<Reason<Kind>> =>
  FACTS[kind].map((facts) => ({ kind, ...facts }) as Reason<Kind>);

const reasonOfKind = (kind: ReasonKind): fc.Arbitrary<Reason> =>
  hasFacts(kind) ? withFacts(kind) : fc.constant(reasonWith(kind, {}));

/** An advice gives at most one of each, in one field. */
const EXCLUSIVE: readonly (readonly ReasonKind[])[] = [
  ['NO_DATA', 'STALE_DATA'],
  ['BY_BALANCE', 'DRY_BY_BALANCE', 'BALANCE_DIFFERS'],
  ['NO_RESPONSE', 'LOG_SHIFTED'],
  ['NO_ROOT_DEPTH', 'ROOTS_TOO_DEEP'],
  // Both are told as runs.
  ['RUNOFF', 'LONGEST_RUN'],
];

const possible = (kinds: readonly ReasonKind[]): ReasonKind[] =>
  kinds.filter((kind) =>
    EXCLUSIVE.every((group) => {
      const present = kinds.filter((other) => group.includes(other));
      return !group.includes(kind) || present[0] === kind;
    }),
  );

const readAgain = (reasons: readonly Reason[]): Reason[] => {
  const { body, advisories } = toBody(reasons);
  return reasonsOf(body, advisories);
};

describe('the reasons of an answer', () => {
  it.each(REASON_KINDS)('are those that were written: %s', (kind) =>
    fc.assert(
      fc.property(reasonOfKind(kind), (reason) => {
        expect(readAgain([reason])).toEqual([reason]);
      }),
      { numRuns: 20 },
    ),
  );

  it('are those that were written where there are several', () =>
    fc.assert(
      fc.property(
        fc
          .subarray([...REASON_KINDS])
          .chain((kinds) => fc.tuple(...possible(kinds).map(reasonOfKind))),
        (reasons) => {
          expect(readAgain(reasons)).toEqual(reasons);
        },
      ),
    ));

  it.each(REASON_KINDS)('are written as they were read: %s', (kind) => {
    for (const each of REASON_CASES[kind]) {
      const body = adviceWith(kind, CONDITIONS.dry, each);
      const written = toBody(reasonsOf(body, each.advisories));
      expect(body).toMatchObject(written.body);
      expect(toAdviceBody(adviceOfBody(body, each.advisories))).toEqual(body);
      for (const advisory of written.advisories) expect(each.advisories).toContainEqual(advisory);
    }
  });

  it('may lack facts that a service does not give', () =>
    fc.assert(
      fc.property(fc.subarray([...REASON_KINDS]), (kinds) => {
        const reasons = kinds.map((kind) => reasonWith(kind, {}));
        expect(readAgain(reasons)).toEqual(reasons);
      }),
    ));
});
