import { compareSortKeys } from '../../../domain/advice/farm/need.ts';
import { LocalDay } from '../../../domain/local-day.ts';
import type { SummaryContext } from '../../../language/summary-context.ts';
import type { ComposedCall } from '../../../operation/call.ts';
import type { FactSource } from '../../../operation/fact-source.ts';
import type { OverviewBody } from '../../../schema/advice/overview.ts';
import { toIso } from '../../../schema/wire-format.ts';
import { decodeCursor, type ListKey, toPage } from '../../pagination.ts';
import { adviseOfEvapotranspiration, adviseOfRainTotals } from '../weather-advice.ts';
import { assessFarm } from './assessed-farm.ts';
import { loadRainOfLastDays } from './load-farm.ts';

interface OverviewQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** The number of figures of `needSortKey`, which a cursor holds. */
const SORT_KEY_LENGTH = 4;

/** Stands in a cursor for the one company of a remote service, whose id is not known here. */
const REMOTE_COMPANY_ID = 0;

const RAIN_DAYS = 7;

export async function farmOverview(
  call: ComposedCall,
  facts: FactSource,
  { limit, cursor }: OverviewQuery,
): Promise<OverviewBody> {
  const list: ListKey = ['overview', facts.farm().id ?? REMOTE_COMPANY_ID];
  const after = decodeCursor(list, cursor, SORT_KEY_LENGTH);
  const { assessed, groups, stations, toRow } = await assessFarm(call, facts);
  const following = assessed.filter(
    ({ sortKey }) => after === null || compareSortKeys(sortKey, after) > 0,
  );
  const page = await toPage(list, following, {
    limit,
    positionOf: ({ sortKey }) => sortKey,
    bodyOf: toRow,
  });

  await adviseOfRainTotals(call, await loadRainOfLastDays(call, facts, RAIN_DAYS), {
    lastDays: RAIN_DAYS,
  });
  adviseOfEvapotranspiration(call, await facts.weather());

  return {
    time: toIso(call.now),
    probes: assessed.length,
    stations,
    groups,
    ...page,
    leftOut: following.length - page.data.length,
  };
}

/** The first rows, as a page shows them that reads its own data. */
export async function firstOfOverview(
  call: ComposedCall,
  facts: FactSource,
  limit: number,
): Promise<OverviewBody> {
  const silentCall = { ...call, advise: () => undefined, onProgress: undefined };
  const body = (await facts.overview(limit)) ?? (await farmOverview(silentCall, facts, { limit }));
  return { ...body, next_cursor: null };
}

/** The usual note, that a person said that it ran, is left out. */
const isNoted = (value: unknown): boolean =>
  value != null && value !== false && value !== 'confirmed';

/** Leaves out the groups, and the fields of a row that say nothing. */
export const conciseOverview = (
  { groups: _groups, leftOut, ...body }: OverviewBody,
  { zone }: Pick<SummaryContext, 'zone'>,
) => {
  const data = body.data.map(({ parcelId: _parcelId, time: _time, lastWateredAt, ...row }) => {
    const lastWateredOn = lastWateredAt && LocalDay.at(Date.parse(lastWateredAt), zone).iso;
    const fields = Object.entries({ ...row, lastWateredAt: lastWateredOn });
    return Object.fromEntries(fields.filter(([, value]) => isNoted(value)));
  });

  return leftOut > 0 ? { ...body, leftOut, data } : { ...body, data };
};
