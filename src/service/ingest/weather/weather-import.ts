import { firstOf } from '../../../domain/items.ts';
import { foldText } from '../../../domain/text.ts';
import { mayBeSameRain, rainByDay } from '../../../domain/weather/rain.ts';
import { FileError } from '../../../language/ingest/file-error.ts';
import { parcelNames } from '../../../store/company/parcels.ts';
import type { CompanyDb } from '../../../store/tables.ts';
import { importedRainOf, insertRain, type Rain, updateRain } from '../../../store/weather/rain.ts';
import { saveWeather } from '../../../store/weather/weather.ts';
import { rainAround, wholeDay } from '../../weather/rain.ts';
import { faultOfWeather, mergeWeather } from '../../weather/weather-entry.ts';
import { isBlankLine, MAX_LINES_BEFORE_HEADER } from '../csv/csv-header.ts';
import { csvLines } from '../csv/csv-lines.ts';
import { type WeatherLayout, weatherLayout } from './weather-columns.ts';
import { parseWeatherRow, type WeatherImportContext, type WeatherRow } from './weather-rows.ts';

interface RejectedLine {
  readonly line: number;
  readonly reason: string;
}

const newCounts = () => ({ added: 0, changed: 0, unchanged: 0 });

interface Counts {
  readonly rain: ReturnType<typeof newCounts>;
  readonly weather: ReturnType<typeof newCounts>;
  /**
   * Days that also have rain from another source: the total of the file replaces it, or it is
   * preferred to that total. The two are never added up.
   */
  readonly otherRain: { replacedDays: number; preferredDays: number };
}

export interface WeatherImport extends Counts {
  readonly days: number;
  readonly rejected: readonly RejectedLine[];
}

/** Reads a file of daily rain and weather. Importing the same file again changes nothing. */
export async function importWeather(
  db: CompanyDb,
  chunks: Iterable<Uint8Array | string>,
  context: WeatherImportContext,
): Promise<WeatherImport> {
  const counts = {
    rain: newCounts(),
    weather: newCounts(),
    otherRain: { replacedDays: 0, preferredDays: 0 },
  };
  const storeContext = { ...context, parcels: await parcelNames(db) };
  const lineOfDay = new Map<string, number>();
  const rejected: RejectedLine[] = [];
  let layout: WeatherLayout | null = null;
  let line = 0;

  for await (const lines of csvLines(chunks))
    for (const text of lines) {
      line++;
      if (layout === null) layout = layoutAt(text, line);
      else if (!isBlankLine(text)) {
        const { row, reason } = parseWeatherRow(text, layout, context);
        const fault =
          row === null
            ? reason
            : await storeOnce(db, { row, line, lineOfDay }, storeContext, counts);
        if (fault !== null) rejected.push({ line, reason: fault });
      }
    }

  if (layout === null) throw noHeaderError();
  return { days: lineOfDay.size, ...counts, rejected };
}

/** Null for a line above the header. */
function layoutAt(text: string, line: number): WeatherLayout | null {
  const layout = weatherLayout(text);
  if (layout !== null || line <= MAX_LINES_BEFORE_HEADER) return layout;

  throw noHeaderError();
}

const noHeaderError = (): FileError =>
  new FileError(({ fileFaults }) => fileFaults.noWeatherHeader());

interface LineOfFile {
  readonly row: WeatherRow;
  readonly line: number;
  /** The lines stored before, by day and parcel. */
  readonly lineOfDay: Map<string, number>;
}

/** Returns why the row is rejected, or null. */
async function storeOnce(
  db: CompanyDb,
  { row, line, lineOfDay }: LineOfFile,
  context: StoreContext,
  counts: Counts,
): Promise<string | null> {
  const key = `${row.day} ${row.parcel}`;
  const earlier = lineOfDay.get(key);
  if (earlier !== undefined) return `its day is on line ${earlier} already: give one row a day`;

  const reason = await storeRow(db, row, context, counts);
  if (reason === null) lineOfDay.set(key, line);
  return reason;
}

interface StoreContext extends WeatherImportContext {
  readonly parcels: Awaited<ReturnType<typeof parcelNames>>;
}

/** Returns why the row is rejected, or null. Storing the same row again changes nothing. */
async function storeRow(
  db: CompanyDb,
  { mm, parcel, ...weatherOfDay }: WeatherRow,
  context: StoreContext,
  counts: Counts,
): Promise<string | null> {
  const { day, ...weatherValues } = weatherOfDay;
  const hasWeather = Object.keys(weatherValues).length > 0;
  const parcelId = findParcel(parcel, context.parcels);
  if (parcelId === undefined)
    return `no parcel, or more than one, is called "${parcel.slice(0, 40)}"`;
  if (hasWeather && parcelId !== null)
    return 'weather is that of the whole farm: leave the parcel empty, or import its rain alone';

  if (hasWeather) {
    const { weather, isNew, isChanged } = await mergeWeather(db, weatherOfDay);
    const fault = faultOfWeather(weather);
    if (fault !== null) return fault;
    if (isChanged) await saveWeather(db, weather, context.now);

    if (isNew) counts.weather.added++;
    else counts.weather[isChanged ? 'changed' : 'unchanged']++;
  }

  if (mm !== undefined) await storeRain(db, { localDay: day, parcelId, mm }, context, counts);
  return null;
}

/** Null for the whole farm; undefined if no parcel, or more than one, has that name. */
function findParcel(text: string, parcels: StoreContext['parcels']): number | null | undefined {
  if (text === '') return null;
  const isNamed = ({ id, name }: StoreContext['parcels'][number]): boolean =>
    text === `#${id}` || foldText(name ?? '') === foldText(text);
  const found = parcels.filter(isNamed);
  return found.length === 1 ? firstOf(found).id : undefined;
}

type DayTotal = Pick<Rain, 'localDay' | 'parcelId' | 'mm'>;

async function storeRain(
  db: CompanyDb,
  total: DayTotal,
  context: StoreContext,
  counts: Counts,
): Promise<void> {
  const { now, zone } = context;
  const { localDay, parcelId, mm } = total;
  const stored = await importedRainOf(db, localDay, parcelId);
  if (stored !== null) {
    // A person's correction stays.
    const isChanged = stored.createdBy === null && stored.mm !== mm;
    counts.rain[isChanged ? 'changed' : 'unchanged']++;
    if (isChanged) await updateRain(db, { ...stored, mm });
  } else if (mm > 0) {
    // A dry day needs no record.
    counts.rain.added++;
    await insertRain(db, {
      ...wholeDay(localDay, zone),
      parcelId,
      moduleId: null,
      mm,
      source: 'import',
      gaugeKey: null,
      note: null,
      createdBy: null,
      createdAt: now,
    });
  }

  await countOtherRain(db, total, context, counts.otherRain);
}

async function countOtherRain(
  db: CompanyDb,
  { localDay, parcelId }: DayTotal,
  { zone }: StoreContext,
  otherRain: Counts['otherRain'],
): Promise<void> {
  const records = (await rainAround(db, wholeDay(localDay, zone))).filter(
    (record) => record.mm > 0 && record.parcelId === parcelId,
  );
  const imported = records.find(
    (record) => record.localDay === localDay && record.source === 'import',
  );
  if (imported === undefined) return;

  const hasOther = records.some((record) => record !== imported && mayBeSameRain(record, imported));
  if (!hasOther) return;

  const isImportCounted = rainByDay(records, parcelId).some(({ counted }) =>
    counted.includes(imported),
  );
  otherRain[isImportCounted ? 'replacedDays' : 'preferredDays']++;
}
