import { entryOf } from '../../../domain/items.ts';
import { LocalDay } from '../../../domain/local-day.ts';
import { HOUR_MS, LONGEST_DAY_MS } from '../../../domain/periods.ts';
import type { CompanyDb } from '../../../store/tables.ts';
import {
  gaugeKeyOf,
  insertRains,
  movedRainOfGauges,
  type Rain,
  rainOfGauges,
  updateRain,
} from '../../../store/weather/rain.ts';
import type { BatchCounts } from './item-kind.ts';

/** A record as a gauge sends it. */
export type GaugeRain = Omit<Rain, 'id' | 'moduleId' | 'endedAt'> & {
  readonly moduleId: number;
  /** For the total of a day, the instant until which rain is included. */
  readonly endedAt: number | null;
};

type RainCounts = BatchCounts['rain'];

/**
 * A gauge has one record for each start and one total for each day. Sending the same rows again
 * changes nothing.
 */
export async function writeGaugeRain(
  db: CompanyDb,
  rows: readonly GaugeRain[],
): Promise<RainCounts> {
  const counts = { written: 0, changed: 0, unchanged: 0, staleTotals: 0 };
  const records = await storedRecords(db, rows);
  const changedKeys = new Set<string>();

  for (const row of rows) {
    const key = rainKey(row);
    const stored = records.get(key);
    const mmOfDayBefore = records.get(keyOfDayBefore(row))?.mm ?? 0;

    const outcome = classifyRain(row, stored, mmOfDayBefore);
    counts[outcome]++;
    if (outcome === 'unchanged' || outcome === 'staleTotals') continue;

    records.set(key, { ...stored, ...row });
    changedKeys.add(key);
  }

  const written = [...changedKeys].map((key) => entryOf(records, key));
  await insertRains(
    db,
    written.filter((row) => !('id' in row)),
  );
  for (const row of written) if ('id' in row) await updateRain(db, row);

  return counts;
}

async function storedRecords(
  db: CompanyDb,
  rows: readonly GaugeRain[],
): Promise<Map<string, GaugeRain | Rain>> {
  const starts = rows.map(({ startedAt }) => startedAt);
  const period = { from: Math.min(...starts) - LONGEST_DAY_MS, to: Math.max(...starts) };
  const gauges = [...new Set(rows.map(({ moduleId }) => moduleId))];
  const records = new Map<string, GaugeRain | Rain>();

  for (const record of await rainOfGauges(db, gauges, period)) records.set(rainKey(record), record);
  // A record that a person moved still has the key of what its gauge sent.
  for (const record of await movedRainOfGauges(db, gauges))
    records.set(`${record.moduleId} ${record.gaugeKey}`, record);

  return records;
}

const rainKey = (record: GaugeRain | Rain): string => `${record.moduleId} ${gaugeKeyOf(record)}`;

const keyOfDayBefore = ({ moduleId, localDay }: GaugeRain): string =>
  `${moduleId} ${LocalDay.parse(localDay).plus(-1).iso}`;

/** A record that a person corrected no longer follows its gauge. */
function classifyRain(
  row: GaugeRain,
  stored: GaugeRain | Rain | undefined,
  mmOfDayBefore: number,
): keyof RainCounts {
  if (stored === undefined) return row.mm === 0 ? 'unchanged' : 'written';
  if (stored.source !== 'gauge') return 'unchanged';
  if (row.isWholeDay && row.endedAt !== stored.endedAt)
    return compareDayTotals(row, stored, mmOfDayBefore);
  return row.mm === stored.mm ? 'unchanged' : 'changed';
}

/**
 * Normally the highest total of a day stays: a counter falls when the gauge loses power or a
 * message shows 0 by mistake, which look the same. Soon after midnight, however, a gauge may still
 * send the total of the day before.
 */
function compareDayTotals(
  row: GaugeRain,
  stored: GaugeRain | Rain,
  mmOfDayBefore: number,
): keyof RainCounts {
  const mayBeOfDayBefore = (total: GaugeRain | Rain): boolean =>
    mmOfDayBefore > 0 &&
    total.mm >= mmOfDayBefore &&
    total.endedAt! - total.startedAt < MAX_CLOCK_DIFFERENCE_MS;

  const isNewer = row.endedAt! > stored.endedAt!;
  if (!isNewer) return row.mm > stored.mm && !mayBeOfDayBefore(row) ? 'changed' : 'unchanged';
  // The same total later in the day shows that it is of this day.
  if (row.mm === stored.mm)
    return mayBeOfDayBefore(stored) && !mayBeOfDayBefore(row) ? 'changed' : 'unchanged';

  return row.mm > stored.mm || mayBeOfDayBefore(stored) ? 'changed' : 'staleTotals';
}

/**
 * How far midnight of a gauge may be from that of the company: its clock may be slow, its zone
 * another, a message late.
 */
const MAX_CLOCK_DIFFERENCE_MS = 3 * HOUR_MS;
