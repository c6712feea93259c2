import { addCivilDays, parseIsoDate } from '../../domain/calendar.ts';
import { midnightAt } from '../../domain/time-zone.ts';
import type { RainRecord } from '../../domain/weather/rain.ts';
import type { RainBody } from '../../schema/rain.ts';
import { toIso } from '../wire-format.ts';
import { allResultRows, type PerformedOperations } from './operation-reads.ts';

type RainOperations = Pick<PerformedOperations, 'listRain'>;

export async function recordedRain(
  { listRain }: RainOperations,
  zone: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<RainRecord[]> {
  const rows = await allResultRows((page) => listRain({ from: toIso(from), to: toIso(to), ...page }));
  return rows.map((row) => toRecord(row, zone));
}

function toRecord({ day, startedAt, endedAt, ...row }: RainBody, zone: string): RainRecord {
  const date = parseIsoDate(day);
  return {
    ...row,
    localDay: day,
    isWholeDay: startedAt === null,
    startedAt: startedAt === null ? midnightAt(date, zone) : Date.parse(startedAt),
    endedAt:
      endedAt !== null ? Date.parse(endedAt) : startedAt === null ? midnightAt(addCivilDays(date, 1), zone) : null,
  };
}
