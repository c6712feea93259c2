import listParcelWaterings from '../../../tools/irrigation/list-parcel-waterings.ts';
import listWaterings from '../../../tools/irrigation/list-waterings.ts';
import type { ModuleFacts } from '../../domain/facts/probe-facts.ts';
import type {
  ParcelWateringFacts,
  ProbeWateringFacts,
  WateringFacts,
} from '../../domain/facts/watering-facts.ts';
import { withoutNulls } from '../../domain/items.ts';
import { readPages } from '../../domain/list-pages.ts';
import type { WateringSelection } from '../../operation/fact-source.ts';
import type { WateringBody } from '../../schema/irrigation/watering.ts';
import { toIso } from '../../schema/wire-format.ts';
import type { WateringTarget } from '../../store/irrigation/watering-target.ts';
import { mapConcurrently } from './concurrency.ts';
import type { FactRequests } from './fact-requests.ts';
import { toParcelWateringFacts, toWateringFacts } from './farm-mappers.ts';

/** Totals and witnesses cost more than the rows. */
const ROWS_ALONE = { totals: 'none', witness: 'none' } as const;

/** Oldest first. */
export async function wateringBodies(
  requests: FactRequests,
  { targets, from, to, status }: WateringSelection,
): Promise<readonly WateringBody[]> {
  const filter = { ...ROWS_ALONE, from: toIso(from), to: toIso(to), status };
  const filters: readonly (WateringTarget | undefined)[] = targets ?? [undefined];
  const lists = await mapConcurrently(filters, (target) =>
    requests.readRows(listWaterings, { ...filter, ...target }),
  );

  const rows = new Map(lists.flat().map((row) => [row.id, row]));
  return [...rows.values()].sort(
    (a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt) || a.id - b.id,
  );
}

/** A service of an older version has none. */
export async function parcelWaterings(
  requests: FactRequests,
  parcelId: number | null,
  { from, to, status }: Pick<WateringSelection, 'from' | 'to' | 'status'>,
): Promise<readonly ParcelWateringFacts[]> {
  if (!requests.isSupported(listParcelWaterings)) return [];
  const filter = { parcelId: parcelId ?? undefined, from: toIso(from), to: toIso(to), status };
  const rows = await requests.readRows(listParcelWaterings, filter);
  return rows.map(toParcelWateringFacts).sort((a, b) => a.startedAt - b.startedAt || a.id - b.id);
}

export async function newestWaterings(
  requests: FactRequests,
  modules: readonly ModuleFacts[],
  now: number,
): Promise<ReadonlyMap<number, Pick<WateringFacts, 'startedAt' | 'isConfirmed'>>> {
  const filter = { ...ROWS_ALONE, status: 'done', to: toIso(now + 1), limit: 1 } as const;
  const watered = modules.filter(({ category }) => category !== 'WEATHER_STATION');
  const found = await mapConcurrently(watered, async (module) => {
    const { data } = await requests.readPage(listWaterings, { ...filter, ...targetOf(module) });
    // A service may return more rows than the limit.
    const [newest] = data;
    return newest === undefined ? null : ([module.id, toWateringFacts(newest)] as const);
  });
  return new Map(withoutNulls(found));
}

/** A tensiometer often has no watering of its own: those of its parcel count. */
const targetOf = ({ id, category, parcelId }: ModuleFacts): WateringTarget =>
  category === 'TENSIOMETER' && parcelId !== null ? { parcelId } : { moduleId: id };

/** Reads no further page once there are `count`. */
export async function lastWateringsWithoutDose(
  requests: FactRequests,
  moduleId: number,
  count: number,
): Promise<readonly ProbeWateringFacts[]> {
  const found: ProbeWateringFacts[] = [];
  const pages = readPages((page) =>
    requests.readPage(listWaterings, { ...ROWS_ALONE, moduleId, ...page }),
  );
  for await (const rows of pages) {
    const missing = rows.filter(({ waterMm, status }) => waterMm === null && status !== 'skipped');
    found.push(...missing.map(toWateringFacts));
    if (found.length >= count) break;
  }
  return found.slice(0, count);
}
