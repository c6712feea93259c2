import { addCivilDays, parseIsoDate } from '../calendar.ts';
import { midnightAt } from '../time-zone.ts';
import type { RainRecord } from './rain.ts';

/** As served: without times the record is of the whole day. */
export interface ServedRain {
  readonly id: number;
  readonly parcelId: number | null;
  readonly moduleId: number | null;
  readonly day: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly mm: number;
}

export function toRainRecord({ day, startedAt, endedAt, ...row }: ServedRain, zone: string): RainRecord {
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
