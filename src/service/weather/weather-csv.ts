import Papa from 'papaparse';
import { formatIsoDate, isIsoDate, padTwo } from '../../domain/calendar.ts';
import { roundTo } from '../../domain/decimal.ts';
import type { DateOrder } from '../../domain/ingest/import-options.ts';
import { foldText } from '../../domain/text.ts';
import { civilAt } from '../../domain/time-zone.ts';
import { mayBeSameRain, rainByDay } from '../../domain/weather/rain.ts';
import { MAX_RAIN_MM } from '../../schema/weather/rain.ts';
import { type WeatherValueName, weatherValues } from '../../schema/weather/weather.ts';
import { parcelNames } from '../../store/company/places.ts';
import type { CompanyDb } from '../../store/tables.ts';
import { importedRainOf, insertRain, type Rain, updateRain } from '../../store/weather/rain.ts';
import { saveWeather } from '../../store/weather/weather.ts';
import { rainAround, wholeDay } from './rain.ts';
import { faultOfWeather, mergeWeather } from './weather.ts';

type Column = 'day' | 'parcel' | 'mm' | WeatherValueName;

/** What spreadsheets call the columns, without units, accents, case and punctuation. */
const COLUMN_NAMES: Readonly<Record<Column, readonly string[]>> = {
  day: ['date', 'day', 'jour', 'fecha', 'dia'],
  parcel: ['parcel', 'block', 'plot', 'field', 'parcelle', 'bloc', 'parcela', 'bloque'],
  mm: [
    'mm',
    'rain',
    'rainmm',
    'rainfall',
    'precipitation',
    'pluie',
    'pluiemm',
    'lluvia',
    'lluviamm',
    'rr',
  ],
  temperatureMin: ['temperaturemin', 'tmin', 'tn'],
  temperatureMax: ['temperaturemax', 'tmax', 'tx'],
  humidityMin: ['humiditymin', 'rhmin', 'hrmin'],
  humidityMax: ['humiditymax', 'rhmax', 'hrmax'],
  dewPoint: ['dewpoint', 'tdew'],
  windMs: ['windms', 'wind2m', 'u2', 'vent2m', 'viento2m'],
  radiationMj: ['radiationmj', 'srad', 'rs'],
};

type Convert = (value: number) => number;

const asIs: Convert = (value) => value;
const multiplyBy =
  (factor: number): Convert =>
  (value) =>
    value * factor;
const fromFahrenheit: Convert = (fahrenheit) => ((fahrenheit - 32) * 5) / 9;

const TEMPERATURE_UNITS: Readonly<Record<string, Convert>> = {
  c: asIs,
  degc: asIs,
  f: fromFahrenheit,
  degf: fromFahrenheit,
};
const HUMIDITY_UNITS: Readonly<Record<string, Convert>> = { '%': asIs };

/**
 * Units that a header may name in brackets. Without brackets, a value is in the unit in which it is
 * stored.
 */
const COLUMN_UNITS: Readonly<
  Record<Exclude<Column, 'day' | 'parcel'>, Readonly<Record<string, Convert>>>
> = {
  mm: {
    mm: asIs,
    cm: multiplyBy(10),
    in: multiplyBy(25.4),
    inch: multiplyBy(25.4),
    inches: multiplyBy(25.4),
  },
  temperatureMin: TEMPERATURE_UNITS,
  temperatureMax: TEMPERATURE_UNITS,
  humidityMin: HUMIDITY_UNITS,
  humidityMax: HUMIDITY_UNITS,
  dewPoint: TEMPERATURE_UNITS,
  windMs: { 'm/s': asIs, 'km/h': multiplyBy(1 / 3.6), mph: multiplyBy(0.44704) },
  radiationMj: { 'mj/m2': asIs, 'mj/m2/d': asIs, 'mj/m2/day': asIs },
};

interface CsvColumn {
  readonly name: Column;
  readonly convert: Convert;
}

/** Null for a column that is not of rain or weather, or in a unit that is not known. */
function columnOf(header: string): CsvColumn | null {
  const [, named = '', unit] = /^([^([]*)(?:[([](.*)[)\]])?\s*$/.exec(header) ?? [];
  const folded = foldText(named).replace(/[^a-z0-9]/g, '');
  const name = (Object.keys(COLUMN_NAMES) as Column[]).find((each) =>
    COLUMN_NAMES[each].includes(folded),
  );
  if (name === undefined) return null;
  if (unit === undefined) return { name, convert: asIs };

  const units = name === 'day' || name === 'parcel' ? {} : COLUMN_UNITS[name];
  const convert = units[foldText(unit).replace(/[°\s]/g, '').replace('²', '2')];
  return convert ? { name, convert } : null;
}

/** True if the header has a date, a value, and no unknown column. */
export function isWeatherHeader(line: string): boolean {
  const cells = Papa.parse<string[]>(line.replace(/^\ufeff/, '')).data[0] ?? [];
  const columns = cells.map((cell) => columnOf(cell)?.name);
  const hasValues = columns.some((each) => each !== 'day' && each !== 'parcel');
  return hasValues && !columns.includes(undefined) && columns.includes('day');
}

interface RejectedLine {
  readonly line: number;
  readonly reason: string;
}

export interface WeatherImport {
  readonly days: number;
  readonly rain: { readonly added: number; readonly changed: number; readonly unchanged: number };
  readonly weather: {
    readonly added: number;
    readonly changed: number;
    readonly unchanged: number;
  };
  /**
   * Days that also have rain from elsewhere: it is replaced by the total of the file, or preferred
   * to it, never added.
   */
  readonly otherRain: { readonly replacedDays: number; readonly preferredDays: number };
  readonly rejected: readonly RejectedLine[];
}

interface WeatherImportContext {
  readonly now: number;
  readonly zone: string;
  readonly dates?: DateOrder | undefined;
}

type Row = { readonly day: string; readonly parcel: string } & Partial<
  Record<Exclude<Column, 'day' | 'parcel'>, number | null>
>;

interface Counts {
  readonly rain: ReturnType<typeof newCounts>;
  readonly weather: ReturnType<typeof newCounts>;
  readonly otherRain: { replacedDays: number; preferredDays: number };
}

export async function importWeather(
  db: CompanyDb,
  text: string,
  context: WeatherImportContext,
): Promise<WeatherImport> {
  const { data, meta } = Papa.parse<Record<string, string>>(text.replace(/^\ufeff/, ''), {
    header: true,
    skipEmptyLines: 'greedy',
  });
  const columns = new Map((meta.fields ?? []).map((field) => [field, columnOf(field)]));
  const counts: Counts = {
    rain: newCounts(),
    weather: newCounts(),
    otherRain: { replacedDays: 0, preferredDays: 0 },
  };

  const parcels = await parcelNames(db);
  const rejected: RejectedLine[] = [];
  const lineOfDay = new Map<string, number>();
  let days = 0;

  for (const [index, cells] of data.entries()) {
    const line = index + 2;
    const row = readRow(cells, columns, context);
    const dayAndParcel = 'reason' in row ? '' : `${row.day} ${row.parcel}`;
    const earlier = lineOfDay.get(dayAndParcel);
    let reason: string | null;

    if ('reason' in row) reason = row.reason;
    else if (earlier !== undefined)
      reason = `its day is on line ${earlier} already: give one row a day`;
    else reason = await storeRow(db, row, { ...context, parcels }, counts);

    if (reason !== null) rejected.push({ line, reason });
    else {
      lineOfDay.set(dayAndParcel, line);
      days++;
    }
  }

  return { days, ...counts, rejected };
}

const newCounts = () => ({ added: 0, changed: 0, unchanged: 0 });

const NO_VALUE = /^(?:|-|nan|null|na|n\/a)$/i;
const DECIMAL = /^-?\d+(?:[.,]\d+)?$/;
/** Where papaparse puts what has no header. */
const EXTRA_CELLS = '__parsed_extra';

function readRow(
  cells: Readonly<Record<string, string>>,
  columns: ReadonlyMap<string, CsvColumn | null>,
  { now, zone, dates }: WeatherImportContext,
): Row | { readonly reason: string } {
  if (EXTRA_CELLS in cells)
    return {
      reason:
        'it has more cells than the header: quote decimal commas, or separate columns by semicolons',
    };

  const row: Record<string, number | null> = {};
  let [day, parcel] = ['', ''];

  for (const [header, column] of columns) {
    const cell = (cells[header] ?? '').trim();
    if (column === null) continue;

    const { name, convert } = column;
    if (name === 'day') day = readDay(cell, dates);
    else if (name === 'parcel') parcel = cell;
    else if (!NO_VALUE.test(cell)) {
      const value = DECIMAL.test(cell)
        ? roundTo(convert(Number(cell.replace(',', '.'))), 3)
        : Number.NaN;
      const isValid =
        name === 'mm'
          ? value >= 0 && value <= MAX_RAIN_MM
          : weatherValues[name].safeParse(value).success;
      if (!isValid) return { reason: `${header} "${cell.slice(0, 20)}" is not a possible value` };
      row[name] = value;
    }
  }

  if (HAS_TIME.test(day)) return { reason: 'it has a time of day: give one total for each day' };
  if (!isIsoDate(day))
    return { reason: 'its date cannot be read: write 2026-07-01, or name the order with --dates' };
  if (day > formatIsoDate(civilAt(now, zone))) return { reason: 'its day is still to come' };

  return { day, parcel, ...row };
}

const HAS_TIME = /\d[T ]\d{1,2}:\d\d/;

/** A date, which spreadsheets may write with midnight. */
function readDay(cell: string, dates: DateOrder | undefined): string {
  const text = cell.replace(/[T ]0?0:00(?::00)?$/, '');
  const [, a, b, year] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/.exec(text) ?? [];
  if (year === undefined) return text;
  const [first, second] = [Number(a), Number(b)];
  // No month is above 12. If both orders are possible, the date cannot be read.
  if (dates === undefined && first <= 12 && second <= 12) return '';
  const order = dates ?? (first > 12 ? 'dmy' : 'mdy');
  const [day, month] = order === 'dmy' ? [first, second] : [second, first];
  return `${year}-${padTwo(month)}-${padTwo(day)}`;
}

interface StoreContext extends WeatherImportContext {
  readonly parcels: Awaited<ReturnType<typeof parcelNames>>;
}

/** Returns why the row is refused, or null. Storing the same row again changes nothing. */
async function storeRow(
  db: CompanyDb,
  { mm, parcel, ...day }: Row,
  context: StoreContext,
  counts: Counts,
): Promise<string | null> {
  const isWeather = Object.keys(day).length > 1;
  const parcelId = findParcel(parcel, context.parcels);
  if (parcelId === undefined)
    return `no parcel, or more than one, is called "${parcel.slice(0, 40)}"`;
  if (isWeather && parcelId !== null)
    return 'weather is that of the whole farm: leave the parcel empty, or import its rain alone';

  if (isWeather) {
    const { weather, isNew, isChanged } = await mergeWeather(db, day);
    const fault = faultOfWeather(weather);
    if (fault !== null) return fault;
    if (isChanged) await saveWeather(db, weather, context.now);
    const outcome = isChanged ? 'changed' : 'unchanged';
    counts.weather[isNew ? 'added' : outcome]++;
  }

  if (mm != null) await storeRain(db, { localDay: day.day, parcelId, mm }, context, counts);
  return null;
}

/** Null for the whole farm; undefined if no parcel, or more than one, has that name. */
function findParcel(text: string, parcels: StoreContext['parcels']): number | null | undefined {
  if (text === '') return null;
  const isNamed = ({ id, name }: StoreContext['parcels'][number]): boolean =>
    text === `#${id}` || foldText(name ?? '') === foldText(text);
  const found = parcels.filter(isNamed);
  return found.length === 1 ? found[0]!.id : undefined;
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
      gaugeTime: null,
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
  const ofPlace = (await rainAround(db, wholeDay(localDay, zone))).filter(
    (record) => record.mm > 0 && record.parcelId === parcelId,
  );
  const own = ofPlace.find((record) => record.localDay === localDay && record.source === 'import');
  if (own === undefined || !ofPlace.some((each) => each !== own && mayBeSameRain(each, own)))
    return;
  const isOwnCounted = rainByDay(ofPlace, parcelId).some(({ counted }) => counted.includes(own));
  otherRain[isOwnCounted ? 'replacedDays' : 'preferredDays']++;
}
