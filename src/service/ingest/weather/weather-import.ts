import type { DateOrder } from '../../../domain/ingest/import-options.ts';
import { firstOf } from '../../../domain/items.ts';
import { DEFAULT_LANG, type Lang } from '../../../domain/lang.ts';
import { foldText } from '../../../domain/strings.ts';
import { programText } from '../../../domain/text/program-text.ts';
import { mayBeSameRain, rainByDay } from '../../../domain/weather/rain.ts';
import { languageOf } from '../../../language/index.ts';
import { FileError } from '../../../language/ingest/file-error.ts';
import { parcelNames } from '../../../store/company/parcels.ts';
import type { CompanyDb } from '../../../store/tables.ts';
import { importedRainOf, insertRain, type Rain, updateRain } from '../../../store/weather/rain.ts';
import { saveWeather } from '../../../store/weather/weather.ts';
import { rainAround, wholeDay } from '../../weather/rain.ts';
import { describeWeatherFault, faultOfWeather, mergeWeather } from '../../weather/weather-entry.ts';
import { isBlankLine } from '../csv/csv-header.ts';
import { ambiguousDates } from '../csv/format-detection.ts';
import { csvLines } from '../csv/text/csv-lines.ts';
import { recordsOf } from '../csv/text/csv-records.ts';
import { DateForms } from '../date-forms.ts';
import { dateOrderOf, NUMERIC_DATE } from '../spreadsheet-times.ts';
import { findWeatherHeader } from './weather-columns.ts';
import {
  dayTextOf,
  learnWeatherFigures,
  type WeatherRow,
  type WeatherRowContext,
  weatherRowParser,
} from './weather-rows.ts';

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

export interface WeatherImportContext {
  readonly now: number;
  readonly zone: string;
  readonly dates?: DateOrder | undefined;
  /** The language of the reasons. */
  readonly lang?: Lang | undefined;
}

/** Reads a file of daily rain and weather. Importing the same file again changes nothing. */
export async function importWeather(
  db: CompanyDb,
  chunks: Iterable<Uint8Array | string>,
  { now, zone, dates, lang = DEFAULT_LANG }: WeatherImportContext,
): Promise<WeatherImport> {
  const counts = {
    rain: newCounts(),
    weather: newCounts(),
    otherRain: { replacedDays: 0, preferredDays: 0 },
  };
  const lines: string[] = [];
  for await (const part of csvLines(chunks)) for (const text of part) lines.push(text);
  const header = findWeatherHeader(lines);
  if (header === null) throw noHeaderError();
  const { layout, headerEnd } = header;

  const linesBelow = lines
    .map((text, index) => ({ text, line: index + 1 }))
    .filter(({ line }) => line > headerEnd);
  const rows = recordsOf(linesBelow, layout.delimiter, layout.columns.length).filter(
    ({ text }) => !isBlankLine(text),
  );
  for (const { cells } of rows) learnWeatherFigures(cells, layout);
  const days = rows.map(({ cells, line }) => ({ line, day: dayTextOf(cells, layout) }));
  assertDaysNotSwapped(days);
  const order = dates ?? orderOfDays(days.map(({ day }) => day));
  const context = { now, zone, dates: order, lang, parcels: await parcelNames(db) };
  const lineOfDay = new Map<string, number>();
  const rejected: RejectedLine[] = [];

  const parseRow = weatherRowParser(layout, context);
  for (const fileRow of rows) {
    const { line } = fileRow;
    const { row, reasons } = parseRow(fileRow);
    const fault =
      row === null ? null : await storeOnce(db, { row, line, lineOfDay }, context, counts);
    const allReasons = fault === null ? reasons : [...reasons, fault.reason];
    if (allReasons.length > 0) rejected.push({ line, reason: allReasons.join('; ') });
  }

  return { days: lineOfDay.size, ...counts, rejected };
}

function assertDaysNotSwapped(
  days: readonly { readonly day: string; readonly line: number }[],
): void {
  const forms = new DateForms();
  for (const { day, line } of days) forms.add(day, line);
  forms.assertNoneSwapped();
}

/** Throws if the days can be read in two ways, as for readings. */
function orderOfDays(days: readonly string[]): DateOrder | null {
  const numericDays = days.filter((day) => NUMERIC_DATE.test(day));

  const order = dateOrderOf(numericDays);
  if (order === 'unknown') throw ambiguousDates(firstOf(numericDays), '--dates');
  return order;
}

const noHeaderError = (): FileError =>
  new FileError(({ fileFaults }) => fileFaults.noWeatherHeader());

interface LineOfFile {
  readonly row: WeatherRow;
  readonly line: number;
  /** The lines stored before, by day and parcel. */
  readonly lineOfDay: Map<string, number>;
}

/** Why a row, or at least its weather, is not stored. */
interface RowFault {
  readonly reason: string;
  readonly isWholeRow: boolean;
}

const wholeRow = (reason: string): RowFault => ({ reason, isWholeRow: true });

async function storeOnce(
  db: CompanyDb,
  { row, line, lineOfDay }: LineOfFile,
  context: StoreContext,
  counts: Counts,
): Promise<RowFault | null> {
  const key = `${row.day} ${row.parcel}`;
  const earlier = lineOfDay.get(key);
  if (earlier !== undefined)
    return wholeRow(languageOf(context.lang).weatherFile.dayTwice(earlier));

  const fault = await storeRow(db, row, context, counts);
  if (fault?.isWholeRow !== true) lineOfDay.set(key, line);
  return fault;
}

interface StoreContext extends WeatherRowContext {
  readonly parcels: Awaited<ReturnType<typeof parcelNames>>;
}

/** In characters. */
const MAX_QUOTED_PARCEL = 40;

/** Storing the same row again changes nothing. */
async function storeRow(
  db: CompanyDb,
  { mm, parcel, ...weatherOfDay }: WeatherRow,
  context: StoreContext,
  counts: Counts,
): Promise<RowFault | null> {
  const { day, ...weatherValues } = weatherOfDay;
  const hasWeather = Object.keys(weatherValues).length > 0;
  const words = languageOf(context.lang).weatherFile;
  const parcelId = findParcel(parcel, context.parcels);
  if (parcelId === undefined) return wholeRow(words.noParcel(parcel.slice(0, MAX_QUOTED_PARCEL)));
  if (hasWeather && parcelId !== null) return wholeRow(words.weatherOfParcel);

  if (mm !== undefined) await storeRain(db, { localDay: day, parcelId, mm }, context, counts);
  const reason = hasWeather ? await storeWeather(db, weatherOfDay, context, counts) : null;
  return reason === null ? null : { reason, isWholeRow: mm === undefined };
}

/** Returns why the weather is rejected, or null. */
async function storeWeather(
  db: CompanyDb,
  weatherOfDay: Parameters<typeof mergeWeather>[1],
  { lang, now }: StoreContext,
  counts: Counts,
): Promise<string | null> {
  const { weather, isNew, isChanged } = await mergeWeather(db, weatherOfDay);
  const fault = faultOfWeather(weather);
  if (fault !== null) return programText(describeWeatherFault(fault, lang));
  if (isChanged) await saveWeather(db, weather, now);

  if (isNew) counts.weather.added++;
  else counts.weather[isChanged ? 'changed' : 'unchanged']++;
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
