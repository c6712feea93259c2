import Papa from 'papaparse';
import { formatIsoDate, isIsoDate, padTwo } from '../../domain/calendar.ts';
import type { DateOrder } from '../../domain/date-order.ts';
import { civilAt } from '../../domain/time-zone.ts';
import { rainByDay } from '../../domain/weather/rain.ts';
import { foldText } from '../../language/text.ts';
import { MAX_RAIN_MM } from '../../schema/rain.ts';
import { type WeatherValueName, weatherValues } from '../../schema/weather.ts';
import { parcelNames } from '../../store/company/places.ts';
import type { CompanyDb } from '../../store/tables.ts';
import { importedRainOf, insertRain, type Rain, rainOfDay, updateRain } from '../../store/weather/rain.ts';
import { saveWeather } from '../../store/weather/weather-days.ts';
import { wholeDay } from './rain.ts';
import { faultOfWeather, mergeWeather } from './weather.ts';

type Column = 'day' | 'parcel' | 'mm' | WeatherValueName;

/** By what spreadsheets call them, without units, accents, case and punctuation. */
const COLUMN_NAMES: Readonly<Record<Column, readonly string[]>> = {
  day: ['date', 'day', 'jour', 'fecha', 'dia'],
  parcel: ['parcel', 'block', 'plot', 'field', 'parcelle', 'bloc', 'parcela', 'bloque'],
  mm: ['mm', 'rain', 'rainmm', 'rainfall', 'precipitation', 'pluie', 'pluiemm', 'lluvia', 'lluviamm', 'rr'],
  temperatureMin: ['temperaturemin', 'tmin', 'tn'],
  temperatureMax: ['temperaturemax', 'tmax', 'tx'],
  humidityMin: ['humiditymin', 'rhmin', 'hrmin'],
  humidityMax: ['humiditymax', 'rhmax', 'hrmax'],
  dewPoint: ['dewpoint', 'tdew'],
  windMs: ['windms', 'wind2m', 'u2', 'vent2m', 'viento2m'],
  radiationMj: ['radiationmj', 'srad', 'rs'],
};

const columnOf = (header: string): Column | null => {
  const name = foldText(header)
    .replace(/\(.*?\)/g, '')
    .replace(/[^a-z0-9]/g, '');
  const found = Object.entries(COLUMN_NAMES).find(([, names]) => names.includes(name));
  return (found?.[0] as Column | undefined) ?? null;
};

/** Whether a file has days of rain or weather: a date, and every other column known. */
export function isWeatherHeader(line: string): boolean {
  const cells = Papa.parse<string[]>(line.replace(/^\ufeff/, '')).data[0] ?? [];
  const columns = cells.map(columnOf);
  const hasValues = columns.some((each) => each !== 'day' && each !== 'parcel');
  return hasValues && columns.every((each) => each !== null) && columns.includes('day');
}

interface RejectedLine {
  readonly line: number;
  readonly reason: string;
}

export interface WeatherImport {
  readonly days: number;
  readonly rain: { readonly added: number; readonly changed: number; readonly unchanged: number };
  readonly weather: { readonly added: number; readonly changed: number; readonly unchanged: number };
  /** Days with other records of the same place, with which rain is not added up. */
  readonly shared: { readonly counted: number; readonly left: number };
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
  readonly shared: { counted: number; left: number };
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
  const counts: Counts = { rain: newCounts(), weather: newCounts(), shared: { counted: 0, left: 0 } };
  const parcels = await parcelNames(db);
  const rejected: RejectedLine[] = [];
  let days = 0;
  for (const [index, cells] of data.entries()) {
    const row = readRow(cells, columns, context);
    const reason = 'reason' in row ? row.reason : await storeRow(db, row, { ...context, parcels }, counts);
    if (reason === null) days++;
    else rejected.push({ line: index + 2, reason });
  }
  return { days, ...counts, rejected };
}

const newCounts = () => ({ added: 0, changed: 0, unchanged: 0 });

const NO_VALUE = /^(?:|-|nan|null|na|n\/a)$/i;

function readRow(
  cells: Readonly<Record<string, string>>,
  columns: ReadonlyMap<string, Column | null>,
  { now, zone, dates }: WeatherImportContext,
): Row | { readonly reason: string } {
  const row: Record<string, number | null> = {};
  let [day, parcel] = ['', ''];
  for (const [header, column] of columns) {
    const cell = (cells[header] ?? '').trim();
    if (column === 'day') day = readDay(cell, dates);
    else if (column === 'parcel') parcel = cell;
    else if (column !== null && !NO_VALUE.test(cell)) {
      const value = Number(cell.replace(',', '.'));
      const isValid =
        column === 'mm' ? value >= 0 && value <= MAX_RAIN_MM : weatherValues[column].safeParse(value).success;
      if (!isValid) return { reason: `${header} "${cell.slice(0, 20)}" is not a possible value` };
      row[column] = value;
    }
  }
  if (!isIsoDate(day)) return { reason: 'its date cannot be read: write 2026-07-01, or name the order with --dates' };
  if (day > formatIsoDate(civilAt(now, zone))) return { reason: 'its day is still to come' };
  return { day, parcel, ...row };
}

function readDay(cell: string, dates: DateOrder | undefined): string {
  const [, a, b, year] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/.exec(cell) ?? [];
  if (year === undefined) return cell.slice(0, 10);
  const [first, second] = [Number(a), Number(b)];
  const order = dates ?? (first > 12 ? 'dmy' : second > 12 ? 'mdy' : null);
  if (order === null) return '';
  const [day, month] = order === 'dmy' ? [first, second] : [second, first];
  return `${year}-${padTwo(month)}-${padTwo(day)}`;
}

interface StoreContext extends WeatherImportContext {
  readonly parcels: Awaited<ReturnType<typeof parcelNames>>;
}

/** Null once it is stored; the same row again changes nothing. */
async function storeRow(
  db: CompanyDb,
  { mm, parcel, ...day }: Row,
  context: StoreContext,
  counts: Counts,
): Promise<string | null> {
  const isWeather = Object.keys(day).length > 1;
  const place = findParcel(parcel, context.parcels);
  if (place === undefined) return `no parcel, or more than one, is called "${parcel.slice(0, 40)}"`;
  if (isWeather && place !== null)
    return 'weather is that of the whole farm: leave the parcel empty, or import its rain alone';
  if (isWeather) {
    const { weather, isNew, isChanged } = await mergeWeather(db, day);
    const fault = faultOfWeather(weather);
    if (fault !== null) return fault;
    if (isChanged) await saveWeather(db, weather, context.now);
    counts.weather[isNew ? 'added' : isChanged ? 'changed' : 'unchanged']++;
  }
  if (mm != null) await storeRain(db, { localDay: day.day, parcelId: place, mm }, context, counts);
  return null;
}

/** Null for the whole farm; undefined for a name that no parcel has, or several. */
function findParcel(text: string, parcels: StoreContext['parcels']): number | null | undefined {
  if (text === '') return null;
  const isNamed = ({ id, name }: StoreContext['parcels'][number]): boolean =>
    text === `#${id}` || foldText(name ?? '') === foldText(text);
  const found = parcels.filter(isNamed);
  return found.length === 1 ? found[0]!.id : undefined;
}

type DayTotal = Pick<Rain, 'localDay' | 'parcelId' | 'mm'>;

async function storeRain(db: CompanyDb, total: DayTotal, { now, zone }: StoreContext, counts: Counts): Promise<void> {
  const { localDay, parcelId, mm } = total;
  const stored = await importedRainOf(db, localDay, parcelId);
  if (stored !== null) {
    counts.rain[stored.mm === mm ? 'unchanged' : 'changed']++;
    if (stored.mm !== mm) await updateRain(db, { ...stored, mm });
  }
  // A dry day needs no record.
  else if (mm > 0) {
    counts.rain.added++;
    await insertRain(db, {
      ...wholeDay(localDay, zone),
      ...{ parcelId, moduleId: null, mm, source: 'import', note: null, createdBy: null, createdAt: now },
    });
  }
  await countShared(db, total, counts.shared);
}

async function countShared(db: CompanyDb, { localDay, parcelId }: DayTotal, shared: Counts['shared']): Promise<void> {
  const ofPlace = (await rainOfDay(db, localDay)).filter((record) => record.mm > 0 && record.parcelId === parcelId);
  const [day] = rainByDay(ofPlace, parcelId);
  if (ofPlace.length < 2 || day === undefined) return;
  shared[day.counted.some(({ source }) => source === 'import') ? 'counted' : 'left']++;
}
