import { addCivilDays } from '../../domain/calendar.ts';
import { civilAt, midnightAt } from '../../domain/time-zone.ts';
import type { RainRecord } from '../../domain/weather/rain.ts';
import { toRainRecord } from '../../domain/weather/recorded-rain.ts';
import { parcelName } from '../../language/summary-context.ts';
import type { ComposedCall } from '../../operation/call.ts';
import type { Note } from '../../schema/note.ts';
import { rainTotals } from '../weather/rain.ts';
import { toIso } from '../wire-format.ts';
import { allResultRows, type PerformedOperations } from './operation-reads.ts';

type RainOperations = Pick<PerformedOperations, 'listRain'>;

export async function recordedRain(
  { listRain }: RainOperations,
  zone: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<RainRecord[]> {
  const rows = await allResultRows((page) => listRain({ from: toIso(from), to: toIso(to), ...page }));
  return rows.map((row) => toRainRecord(row, zone));
}

/** Local days, today included. */
export function rainOfLastDays(
  { now, zone }: Pick<ComposedCall, 'now' | 'zone'>,
  operations: RainOperations,
  days: number,
): Promise<RainRecord[]> {
  const from = midnightAt(addCivilDays(civilAt(now, zone), 1 - days), zone);
  return recordedRain(operations, zone, { from, to: now + 1 });
}

/** Rain beside an answer about waterings: of local days, and of one parcel or of every place with rain of its own. */
export async function noteRainTotals(
  { directory, lang, note }: Pick<ComposedCall, 'directory' | 'lang' | 'note'>,
  records: readonly RainRecord[],
  { parcelId, lastDays }: { readonly parcelId?: number | null; readonly lastDays: number | null },
): Promise<void> {
  const totals: Extract<Note, { kind: 'rain_totals' }>['totals'] = [];
  for (const { parcelId: place, ...total } of rainTotals(records, parcelId))
    totals.push({ parcel: place === null ? null : await parcelName(directory, place, lang), ...total });
  if (totals.length > 0) note({ kind: 'rain_totals', totals, lastDays });
}
