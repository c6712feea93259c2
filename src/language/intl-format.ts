export interface IntlFormat {
  /** Has no thousands separator. The value may be a decimal as text. */
  number(value: number | string): string;
  /** Has a thousands separator: "12,345". */
  grouped(value: number): string;
  /** "05:00", "05:00 and 18:00", "10, 30 and 60". */
  list(items: readonly (string | number)[]): string;
  /** The form of a noun for its number. */
  noun(count: number, one: string, plural?: string): string;
  /** A noun after its number: "1 watering", "2 waterings". */
  count(count: number, one: string, plural?: string): string;
  /** "12,345 rows". */
  groupedCount(count: number, one: string, plural?: string): string;
  /** "15 minutes", "1 day". */
  duration(count: number, unit: RoundedDuration['unit']): string;
  months(style: 'long' | 'short'): readonly string[];
  weekdays(style: 'long' | 'short'): readonly string[];
}

const MONTHS = Array.from({ length: 12 }, (_, month) => Date.UTC(2024, month, 1));
/** 1 January 2024 was a Monday. */
const WEEKDAYS = Array.from({ length: 7 }, (_, day) => Date.UTC(2024, 0, 1 + day));

/** `listLocale` may be another region of the language, where its lists read better. */
export function intlFormat(locale: string, listLocale = locale): IntlFormat {
  // Loading the tables of Intl takes milliseconds, which a program that formats nothing should not
  // spend.
  const numberFormat = once(
    () => new Intl.NumberFormat(locale, { useGrouping: false, maximumFractionDigits: 20 }),
  );
  const groupedFormat = once(() => new Intl.NumberFormat(locale, { useGrouping: 'always' }));
  const listFormat = once(() => new Intl.ListFormat(listLocale));
  const pluralRules = once(() => new Intl.PluralRules(locale));

  const namesOf = (
    instants: readonly number[],
    options: Intl.DateTimeFormatOptions,
  ): readonly string[] => {
    const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
    return instants.map((instant) => format.format(instant));
  };

  const months = {
    long: once(() => namesOf(MONTHS, { month: 'long' })),
    short: once(() => namesOf(MONTHS, { month: 'short' })),
  };
  const weekdays = {
    long: once(() => namesOf(WEEKDAYS, { weekday: 'long' })),
    short: once(() => namesOf(WEEKDAYS, { weekday: 'short' })),
  };
  const noun = (count: number, one: string, plural = `${one}s`): string =>
    pluralRules().select(count) === 'one' ? one : plural;

  return {
    number: (value) => numberFormat().format(value as Intl.StringNumericLiteral),
    grouped: (value) => groupedFormat().format(value),
    list: (items) => listFormat().format(items.map(String)),
    noun,
    count: (count, one, plural) => `${count} ${noun(count, one, plural)}`,
    groupedCount: (count, one, plural) =>
      `${groupedFormat().format(count)} ${noun(count, one, plural)}`,
    duration: (count, unit) =>
      new Intl.NumberFormat(locale, {
        style: 'unit',
        unit,
        unitDisplay: 'long',
        useGrouping: false,
      })
        .format(count)
        .replace(/\s/, ' '),
    months: (style) => months[style](),
    weekdays: (style) => weekdays[style](),
  };
}

/** "a, b or c". Not part of `IntlFormat`, so that the page stays small. */
export const formatAlternatives = (items: readonly string[], locale: string): string =>
  new Intl.ListFormat(locale, { type: 'disjunction' }).format(items);

function once<T extends object>(make: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= make());
}

export interface RoundedDuration {
  readonly count: number;
  readonly unit: 'day' | 'hour' | 'minute' | 'second';
}
