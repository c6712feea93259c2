import { addCivilDays } from '../../domain/calendar.ts';
import { civilAt, midnightAt } from '../../domain/time-zone.ts';
import { type RainOfPeriod, toRainRecord, withMargin } from '../../domain/weather/rain.ts';
import { parcelName } from '../../language/summary-context.ts';
import type { ComposedCall } from '../../operation/call.ts';
import type { Note } from '../../schema/note.ts';
import { rainTotals } from '../weather/rain.ts';
import { toIso } from '../wire-format.ts';
import { allResultRows, type PerformedOperations } from './operation-reads.ts';

type RainOperations = Pick<PerformedOperations, 'listRain'>;

/** With the records around it that decide what counts. */
export async function recordedRain(
  { listRain }: RainOperations,
  zone: string,
  period: { readonly from: number; readonly to: number },
): Promise<RainOfPeriod> {
  const around = withMargin(period);
  const [from, to] = [toIso(Math.max(0, around.from!)), toIso(around.to!)];
  const rows = await allResultRows((page) => listRain({ from, to, ...page }));
  return { ...period, records: rows.map((row) => toRainRecord(row, zone)) };
}

/** Local days, today included. */
export function rainOfLastDays(
  { now, zone }: Pick<ComposedCall, 'now' | 'zone'>,
  operations: RainOperations,
  days: number,
): Promise<RainOfPeriod> {
  const from = midnightAt(addCivilDays(civilAt(now, zone), 1 - days), zone);
  return recordedRain(operations, zone, { from, to: now + 1 });
}

/** Rain beside an answer about waterings: of local days, and of one parcel or of every place with rain of its own. */
export async function noteRainTotals(
  { directory, lang, note }: Pick<ComposedCall, 'directory' | 'lang' | 'note'>,
  rain: RainOfPeriod,
  { parcelId, lastDays }: { readonly parcelId?: number | null; readonly lastDays: number | null },
): Promise<void> {
  const totals: Extract<Note, { kind: 'rain_totals' }>['totals'] = [];
  for (const { parcelId: place, ...total } of rainTotals(rain, parcelId))
    totals.push({ parcel: place === null ? null : await parcelName(directory, place, lang), ...total });
  if (totals.length > 0) note({ kind: 'rain_totals', totals, lastDays });
}
