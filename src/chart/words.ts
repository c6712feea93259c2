import { type CivilDate, dayNumber, daysBetween, weekdayOf } from '../domain/calendar.ts';
import { counted } from '../domain/english.ts';
import type { Lang } from '../domain/lang.ts';
import { civilAt } from '../domain/zone.ts';
import type { Measure } from './moisture-chart.ts';
import type { Span } from './watering-sums.ts';

/** What stands in a picture, in the language of who looks at it. */
export interface Words {
  readonly months: readonly string[];
  /** From Monday. */
  readonly weekdays: readonly string[];
  readonly decimal: string;
  /** What the curve shows, with its unit. */
  readonly measure: Readonly<Record<Measure, string>>;
  /** A line each. */
  readonly fieldCapacity: readonly [string, string];
  readonly stress: readonly [string, string];
  readonly alert: readonly [string, string];
  readonly comfort: string;
  readonly watering: Readonly<Record<Span, string>>;
  readonly planned: string;
  readonly noDose: string;
  readonly localTime: string;
  readonly now: string;
  readonly noData: string;
  readonly newest: string;
  readonly newestReading: string;
  readonly last: string;
  readonly neverSent: string;
  readonly depth: string;
  old(age: string): string;
  age(count: number, unit: 'minute' | 'hour' | 'day'): string;
  /** What a value is that stands for a length of time. */
  meanOver(length: string): string;
}

const UNITS: Record<Measure, string> = { moisture: '%', air_humidity: '%', temperature: '°C', tension: 'kPa' };

export const WORDS: Record<Lang, Words> = {
  en: {
    months: 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' '),
    weekdays: 'Mon Tue Wed Thu Fri Sat Sun'.split(' '),
    decimal: '.',
    measure: {
      moisture: 'Soil moisture, % by volume',
      air_humidity: 'Air humidity, %',
      temperature: 'Temperature, °C',
      tension: 'Tension, kPa',
    },
    fieldCapacity: ['Field', 'capacity'],
    stress: ['Stress', 'point'],
    alert: ['Alert', 'below'],
    comfort: 'comfort',
    watering: {
      each: 'watering, mm',
      day: 'watering, mm a day',
      week: 'watering, mm a week',
      month: 'watering, mm a month',
    },
    planned: 'planned',
    noDose: 'dose unknown',
    localTime: 'Local time',
    now: 'now',
    noData: 'No reading in this period',
    newest: 'newest',
    newestReading: 'newest reading',
    last: 'last',
    neverSent: 'no reading yet',
    depth: 'cm',
    old: (age) => `${age} old`,
    age: (count, unit) => counted(count, unit),
    meanOver: (length) => `mean over ${length}`,
  },
  fr: {
    months: 'janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.'.split(' '),
    weekdays: 'lun. mar. mer. jeu. ven. sam. dim.'.split(' '),
    decimal: ',',
    measure: {
      moisture: 'Humidité du sol, % en volume',
      air_humidity: 'Humidité de l’air, %',
      temperature: 'Température, °C',
      tension: 'Tension, kPa',
    },
    fieldCapacity: ['Capacité', 'au champ'],
    stress: ['Seuil de', 'stress'],
    alert: ['Alerte', 'sous'],
    comfort: 'confort',
    watering: {
      each: 'arrosage, mm',
      day: 'arrosage, mm par jour',
      week: 'arrosage, mm par semaine',
      month: 'arrosage, mm par mois',
    },
    planned: 'prévu',
    noDose: 'dose inconnue',
    localTime: 'Heure locale',
    now: 'maintenant',
    noData: 'Aucune mesure sur cette période',
    newest: 'dernière valeur',
    newestReading: 'dernière mesure',
    last: 'à la fin',
    neverSent: 'aucune mesure à ce jour',
    depth: 'cm',
    old: (age) => `il y a ${age}`,
    age: (count, unit) => `${count} ${{ minute: 'minute', hour: 'heure', day: 'jour' }[unit]}${count < 2 ? '' : 's'}`,
    meanOver: (length) => `moyenne sur ${length}`,
  },
};

/** A figure with one decimal at most, as the language writes it. */
export const sayNumber = (value: number, { decimal }: Words): string =>
  String(Number(value.toFixed(1))).replace('.', decimal);

/** A value with its unit: "24.1 %". */
export const sayValue = (value: number, measure: Measure, words: Words): string =>
  `${sayNumber(value, words)}\u00a0${UNITS[measure]}`;

/** "14 Jul" */
export const sayDate = ({ month, day }: CivilDate, words: Words): string => `${day} ${words.months[month - 1]}`;

/** "Mon 14" */
export const sayWeekday = (date: CivilDate, words: Words): string =>
  `${words.weekdays[weekdayOf(date) - 1]} ${date.day}`;

export const sayClock = (hour: number, minute: number): string =>
  `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;

/** Up to this length a period is told with its hours. */
const HOURS_TOLD_MS = 50 * 3_600_000;

/** "24 Jun – 1 Jul 2026"; short ones with their hours. The end is excluded: at midnight the day before is the last. */
export function sayPeriod(start: number, end: number, zone: string, words: Words): string {
  const from = civilAt(start, zone);
  if (end - start <= HOURS_TOLD_MS) {
    const to = civilAt(end, zone);
    const [begins, ends] = [from, to].map(({ hour, minute }) => sayClock(hour, minute));
    const [first, last] = [from, to].map((day) => `${sayDate(day, words)} ${day.year}`);
    return daysBetween(from, to) === 0 ? `${first}, ${begins} – ${ends}` : `${first}, ${begins} – ${last}, ${ends}`;
  }
  const to = civilAt(end - 1, zone);
  const opening = from.year === to.year ? sayDate(from, words) : `${sayDate(from, words)} ${from.year}`;
  return dayNumber(from) === dayNumber(to)
    ? `${sayDate(to, words)} ${to.year}`
    : `${opening} – ${sayDate(to, words)} ${to.year}`;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** "26 hours", from two days on "3 days". */
export const sayAge = (ageMs: number, words: Words): string =>
  ageMs < 2 * DAY_MS ? words.age(Math.floor(ageMs / HOUR_MS), 'hour') : words.age(Math.floor(ageMs / DAY_MS), 'day');

/** "15 minutes", "6 hours", "1 day". */
export function sayLength(lengthMs: number, words: Words): string {
  if (lengthMs % DAY_MS === 0) return words.age(lengthMs / DAY_MS, 'day');
  return lengthMs % HOUR_MS === 0
    ? words.age(lengthMs / HOUR_MS, 'hour')
    : words.age(Math.round(lengthMs / 60_000), 'minute');
}
