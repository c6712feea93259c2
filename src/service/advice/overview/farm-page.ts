import { needOf } from '../../../domain/advice/farm/need.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../domain/periods.ts';
import { langOfCountry } from '../../../language/index.ts';
import { sensibleMoisture } from '../../../language/number-format.ts';
import { mayHold } from '../../../operation/authorization.ts';
import { type ComposedCall, isLocalCall } from '../../../operation/call.ts';
import type { AskingCaller } from '../../../operation/operation.ts';
import type {
  FarmPageBody,
  FarmPageQuery,
  PageProbe,
  SparklineBody,
} from '../../../schema/advice/farm-page.ts';
import type { ListedModuleBody } from '../../../schema/company/company.ts';
import type { AgronomicStateBody, SeriesPointBody } from '../../../schema/moisture/series.ts';
import { SCOPES } from '../../../schema/scope.ts';
import { allUsers } from '../../../store/company/companies.ts';
import { toIso } from '../../wire-format.ts';
import type { LoadedProbe } from '../brief-probes.ts';
import { nullIfNotFound } from '../operation-reads.ts';
import { type AssessmentOperations, assessProbes } from './assessed-probes.ts';
import { overviewGroups } from './overview-groups.ts';

const SPARKLINE_MS = 7 * DAY_MS;
/** Fine enough to show each night, and few enough for a farm of hundreds of probes. */
const STEP_MS = 3 * HOUR_MS;

export async function getFarmPage(
  call: ComposedCall,
  operations: AssessmentOperations,
  { moduleIds }: FarmPageQuery,
): Promise<FarmPageBody> {
  const { assessed, plans, silentStations, stations } = await assessProbes(call, operations, {
    moduleIds,
    loadDetail: (module, probe) => loadSparkline(call.now, operations, module, probe),
  });
  const listed = new Set(assessed.map(({ row }) => row.moduleId));

  return {
    time: toIso(call.now),
    probes: assessed.length,
    stations,
    groups: overviewGroups(assessed, silentStations),
    user: null,
    company: {
      name: isLocalCall(call) ? call.company.name : null,
      timezone: call.zone,
      lang: isLocalCall(call) ? langOfCountry(call.company.country_code) : call.lang,
    },
    data: assessed.map(
      ({ row, condition, probe, detail }): PageProbe => ({
        ...row,
        need: needOf(condition),
        sparkline: detail,
        comfort: comfortOf(probe.state),
      }),
    ),
    toConfirm: plans.toConfirm
      .filter(({ moduleId }) => moduleIds === undefined || listed.has(moduleId))
      .map(({ configSnapshot: _, ...watering }) => watering),
  };
}

export async function addPageUser(
  page: FarmPageBody,
  { caller, db }: AskingCaller,
): Promise<FarmPageBody> {
  const { userId, role } = caller;
  const users = userId === null ? [] : await allUsers(db);
  const name = users.find(({ id }) => id === userId)?.name ?? null;

  const scopes = SCOPES.filter((scope) => caller.scopes.includes(scope) && mayHold(role, scope));
  return { ...page, user: { id: userId, name, role, scopes } };
}

async function loadSparkline(
  now: number,
  { getMoistureSeries }: AssessmentOperations,
  { id: moduleId }: ListedModuleBody,
  { state }: LoadedProbe,
): Promise<SparklineBody | null> {
  if (state === null) return null;

  const start = Math.floor((now - SPARKLINE_MS) / STEP_MS) * STEP_MS;
  const type = state.tension ? ('tensio' as const) : ('humidity' as const);
  const period = { start: toIso(start), end: toIso(now), interval: STEP_MS / SECOND_MS };
  const series = await nullIfNotFound(() => getMoistureSeries({ moduleId, type, ...period }));
  if (!series || series.data.length === 0) return null;

  const byTime = new Map(series.data.map((point) => [Date.parse(point.time), pointValue(point)]));
  const count = Math.ceil((now - start) / STEP_MS);
  const values = Array.from(
    { length: count },
    (_, index) => byTime.get(start + index * STEP_MS) ?? null,
  );

  return { start: toIso(start), stepMin: STEP_MS / MINUTE_MS, values };
}

const pointValue = ({ value_vwc, value_tensio }: SeriesPointBody): number | null => {
  // Some loggers send the water potential, which is the negative tension.
  const value = value_vwc ?? (value_tensio == null ? null : Math.abs(value_tensio));
  return value === null ? null : sensibleMoisture(value);
};

function comfortOf(state: AgronomicStateBody | null): PageProbe['comfort'] {
  if (state === null) return null;
  const { tension, stressPoint, fieldCapacity } = state;
  return tension
    ? { low: tension.wetLevel, high: tension.dryLevel }
    : { low: stressPoint, high: fieldCapacity };
}
