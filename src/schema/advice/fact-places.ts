import type { FactsOf, ReasonFacts } from '../../domain/advice/reason.ts';
import { roundAmount } from '../../domain/decimal.ts';
import type { TensionFlag } from '../../domain/facts/suspect-tension.ts';
import type { JudgedLine } from '../../domain/moisture/line-limits.ts';
import type { QualityFlag } from '../../domain/moisture/quality-flags.ts';
import type { Advisory } from '../advisory.ts';
import {
  suspectReadingOf,
  suspectTensionOf,
  toSuspectReadingBody,
  toSuspectTensionBody,
} from '../moisture/suspect-bodies.ts';
import { toIso } from '../wire-format.ts';
import type { AdviceBody } from './advice.ts';

/** The fields of a body that hold facts of reasons. */
export type FactFields = Partial<
  Pick<
    AdviceBody,
    | 'rest'
    | 'ripeSince'
    | 'doubts'
    | 'doubtedLines'
    | 'unseenWaterings'
    | 'exchangedWith'
    | 'basis'
    | 'balance'
    | 'balanceNeeds'
    | 'wetSince'
    | 'differing'
    | 'unshownRain'
    | 'usualRoots'
    | 'takenOffMm'
    | 'runoff'
  >
> & { readonly tension?: Pick<NonNullable<AdviceBody['tension']>, 'suspect'> | undefined };

export interface AnswerWithFacts {
  readonly body: FactFields;
  readonly advisories: readonly Advisory[];
}

export interface WrittenFacts {
  readonly body?: FactFields;
  readonly advisory?: Advisory;
}

/** Reads the facts of a reason from an answer, and writes them into one. */
interface FactPlace<Kind extends keyof ReasonFacts> {
  read(answer: AnswerWithFacts): FactsOf<Kind>;
  write(facts: FactsOf<Kind>): WrittenFacts;
}

export const FACT_PLACES: { readonly [Kind in keyof ReasonFacts]: FactPlace<Kind> } = {
  AT_REST: {
    read: ({ body: { rest } }) => rest ?? {},
    write: ({ until, harvestedOn }) =>
      until === undefined ? {} : { body: { rest: { until, harvestedOn } } },
  },
  RIPE: {
    read: ({ body: { ripeSince } }) => (ripeSince === undefined ? {} : { since: ripeSince }),
    write: ({ since }) => (since === undefined ? {} : { body: { ripeSince: since } }),
  },
  TENSION_AT_ZERO: suspectTensions('TENSION_AT_ZERO'),
  TENSION_AT_LIMIT: suspectTensions('TENSION_AT_LIMIT'),
  TENSION_FELL: suspectTensions('TENSION_FELL'),
  DEPTHS_JUMPED: {
    read: ({ advisories }) => {
      const jump = advisories.find((advisory) => advisory.kind === 'depths_jumped');
      return jump === undefined ? {} : { at: jump.at, points: jump.points };
    },
    write: ({ at, points }) =>
      at === undefined ? {} : { advisory: { kind: 'depths_jumped', at, points } },
  },
  DEPTHS_EXCHANGED: {
    read: ({ advisories }) => {
      const depths = advisories.find((advisory) => advisory.kind === 'depths_exchanged');
      return depths === undefined ? {} : { topCm: depths.topCm, deepestCm: depths.deepestCm };
    },
    write: ({ topCm, deepestCm }) =>
      topCm === undefined ? {} : { advisory: { kind: 'depths_exchanged', topCm, deepestCm } },
  },
  MOSTLY_SILENT: {
    read: ({ advisories }) => {
      const silent = advisories.find((advisory) => advisory.kind === 'depths_silent');
      return silent === undefined ? {} : { depths: silent.depths };
    },
    write: ({ depths }) =>
      depths === undefined ? {} : { advisory: { kind: 'depths_silent', depths } },
  },
  NO_DATA: silence(),
  STALE_DATA: silence(),
  BY_BALANCE: balance('balance'),
  DRY_BY_BALANCE: balance(),
  NO_RESPONSE: {
    read: ({ body: { unseenWaterings: unseen } }) =>
      unseen === undefined
        ? {}
        : { startedAt: unseen.startedAt.map(Date.parse), areScheduled: unseen.areScheduled },
    write: ({ startedAt, areScheduled }) =>
      startedAt === undefined
        ? {}
        : {
            body: {
              unseenWaterings: { startedAt: startedAt.map(toIso), areScheduled, shiftDays: null },
            },
          },
  },
  PROBES_EXCHANGED: {
    read: ({ body: { exchangedWith } }) =>
      exchangedWith === undefined ? {} : { moduleId: exchangedWith },
    write: ({ moduleId }) => (moduleId === undefined ? {} : { body: { exchangedWith: moduleId } }),
  },
  LOG_SHIFTED: {
    read: ({ body: { unseenWaterings: unseen } }) =>
      unseen === undefined || unseen.shiftDays === null
        ? {}
        : { startedAt: unseen.startedAt.map(Date.parse), days: unseen.shiftDays },
    write: ({ startedAt, days }) =>
      startedAt === undefined
        ? {}
        : {
            body: {
              unseenWaterings: {
                startedAt: startedAt.map(toIso),
                areScheduled: false,
                shiftDays: days,
              },
            },
          },
  },
  TOO_WET: {
    read: ({ body: { wetSince } }) =>
      wetSince === undefined ? {} : { since: Date.parse(wetSince) },
    write: ({ since }) => (since === undefined ? {} : { body: { wetSince: toIso(since) } }),
  },
  FIELD_CAPACITY_IN_DOUBT: doubtedLines('fieldCapacity'),
  WILTING_POINT_IN_DOUBT: doubtedLines('wiltingPoint'),
  TOO_DRY_FOR_SOIL: suspectReadings('TOO_DRY_FOR_SOIL'),
  TOO_WET_FOR_SOIL: suspectReadings('TOO_WET_FOR_SOIL'),
  SENSOR_FELL: suspectReadings('SENSOR_FELL'),
  SENSOR_NOISY: suspectReadings('SENSOR_NOISY'),
  SENSOR_DRIFTS: suspectReadings('SENSOR_DRIFTS'),
  SENSOR_STUCK: suspectReadings('SENSOR_STUCK'),
  DEEP_ROOTS_NOT_MEASURED: {
    read: ({ advisories }) => {
      const roots = advisories.find((advisory) => advisory.kind === 'deep_roots_unmeasured');
      return roots === undefined
        ? {}
        : { measuredToCm: roots.measuredToCm, rootDepthCm: roots.rootDepthCm };
    },
    write: ({ measuredToCm, rootDepthCm }) =>
      measuredToCm === undefined
        ? {}
        : { advisory: { kind: 'deep_roots_unmeasured', measuredToCm, rootDepthCm } },
  },
  GAUGE_DOUBTFUL: {
    read: ({ body: { unshownRain: rain } }) =>
      rain === undefined
        ? {}
        : { mm: rain.mm, from: Date.parse(rain.from), until: Date.parse(rain.until) },
    write: ({ mm, from, until }) =>
      mm === undefined
        ? {}
        : {
            body: { unshownRain: { mm: roundAmount(mm), from: toIso(from), until: toIso(until) } },
          },
  },
  BALANCE_DIFFERS: balance(),
  PROBES_DIFFER: {
    read: ({ body: { differing } }) => (differing === undefined ? {} : { moduleIds: differing }),
    write: ({ moduleIds }) =>
      moduleIds === undefined ? {} : { body: { differing: [...moduleIds] } },
  },
  FIELD_CAPACITY_ESTIMATED: {
    read: ({ advisories }) => {
      const error = advisories.find((advisory) => advisory.kind === 'class_error');
      if (error === undefined) return {};
      const { errorMm, offered } = error;
      return { errorMm, ...(offered !== undefined && { offered }) };
    },
    write({ errorMm, offered }) {
      if (errorMm === undefined) return {};
      const error = { kind: 'class_error' as const, errorMm: roundAmount(errorMm) };
      return { advisory: offered === undefined ? error : { ...error, offered } };
    },
  },
  NO_ROOT_DEPTH: {
    read: ({ body: { usualRoots: roots } }) =>
      roots === undefined ? {} : { crop: roots.crop, fromCm: roots.fromCm, toCm: roots.toCm },
    write: ({ crop, fromCm, toCm }) =>
      crop === undefined ? {} : { body: { usualRoots: { crop, fromCm, toCm, rootDepthCm: null } } },
  },
  ROOTS_TOO_DEEP: {
    read: ({ body: { usualRoots: roots } }) =>
      roots === undefined || roots.rootDepthCm === null
        ? {}
        : { ...roots, rootDepthCm: roots.rootDepthCm },
    write: ({ crop, fromCm, toCm, rootDepthCm }) =>
      crop === undefined ? {} : { body: { usualRoots: { crop, fromCm, toCm, rootDepthCm } } },
  },
  PLANNED_TODAY: {
    read: ({ body: { takenOffMm } }) => (takenOffMm === undefined ? {} : { plannedMm: takenOffMm }),
    write: ({ plannedMm }) => (plannedMm === undefined ? {} : { body: { takenOffMm: plannedMm } }),
  },
  RUNOFF: {
    read: ({ body: { runoff } }) => {
      if (runoff?.rateMmPerH === undefined || runoff.intakeMmPerH === undefined) return {};
      const { rateMmPerH, intakeMmPerH, ...runs } = runoff;
      return { ...runs, rateMmPerH, intakeMmPerH };
    },
    write: ({ rateMmPerH, intakeMmPerH, parts, minutesPerPart, pauseMin }) =>
      rateMmPerH === undefined
        ? {}
        : { body: { runoff: { rateMmPerH, intakeMmPerH, parts, minutesPerPart, pauseMin } } },
  },
  LONGEST_RUN: {
    read: ({ body: { runoff } }) => {
      if (runoff === undefined) return {};
      const { parts, minutesPerPart, pauseMin } = runoff;
      return { parts, minutesPerPart, pauseMin };
    },
    write: ({ parts, minutesPerPart, pauseMin }) =>
      parts === undefined ? {} : { body: { runoff: { parts, minutesPerPart, pauseMin } } },
  },
};

function suspectTensions(kind: TensionFlag): FactPlace<TensionFlag> {
  return {
    read({ body: { tension } }) {
      const suspect = tension?.suspect?.filter(({ reason }) => reason === kind);
      return suspect === undefined ? {} : { suspect: suspect.map(suspectTensionOf) };
    },
    write: ({ suspect }) =>
      suspect === undefined
        ? {}
        : { body: { tension: { suspect: suspect.map(toSuspectTensionBody) } } },
  };
}

function suspectReadings(kind: QualityFlag): FactPlace<QualityFlag> {
  return {
    read({ body: { doubts } }) {
      const readings = doubts?.filter(({ reason }) => reason === kind);
      return readings === undefined ? {} : { readings: readings.map(suspectReadingOf) };
    },
    write: ({ readings }) =>
      readings === undefined ? {} : { body: { doubts: readings.map(toSuspectReadingBody) } },
  };
}

function doubtedLines(
  name: JudgedLine,
): FactPlace<'FIELD_CAPACITY_IN_DOUBT' | 'WILTING_POINT_IN_DOUBT'> {
  return {
    read({ body }) {
      const lines = body.doubtedLines?.filter(({ line }) => line === name);
      return lines === undefined ? {} : { lines };
    },
    write: ({ lines }) => (lines === undefined ? {} : { body: { doubtedLines: lines } }),
  };
}

function silence(): FactPlace<'NO_DATA' | 'STALE_DATA'> {
  return {
    read: ({ body: { balanceNeeds } }) => (balanceNeeds === undefined ? {} : { balanceNeeds }),
    write: ({ balanceNeeds }) =>
      balanceNeeds === undefined ? {} : { body: { balanceNeeds: [...balanceNeeds] } },
  };
}

/** `basis`: where the balance stands in for the readings. */
function balance(
  basis?: 'balance',
): FactPlace<'BY_BALANCE' | 'DRY_BY_BALANCE' | 'BALANCE_DIFFERS'> {
  return {
    read: ({ body }) => (body.basis === basis && body.balance) || {},
    write({ since, deficitMm, from, waterUse, errorMm, isErrorOwn }) {
      if (since === undefined) return {};
      const body = {
        balance: {
          since,
          ...(from !== undefined && { from }),
          deficitMm,
          ...(waterUse !== undefined && { waterUse }),
          ...(errorMm !== undefined && { errorMm, isErrorOwn }),
        },
      };
      return { body: basis === undefined ? body : { basis, ...body } };
    },
  };
}

/** The advisories that hold the facts of a reason, whose sentence says them. */
export const ADVISORIES_OF_REASONS = [
  'depths_jumped',
  'depths_silent',
  'depths_exchanged',
  'deep_roots_unmeasured',
  'class_error',
] as const;
