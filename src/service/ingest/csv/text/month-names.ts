import { foldText } from '../../../../domain/strings.ts';

/** German, Italian and Portuguese are read in files besides the languages of answers. */
const LANGUAGES = ['en', 'fr', 'es', 'de', 'it', 'pt'];
const MONTHS = Array.from({ length: 12 }, (_, index) => new Date(Date.UTC(2026, index, 15)));

let monthsByName: ReadonlyMap<string, number> | null = null;

/** "june", "jun", "juin" and "junio". */
function monthNumbers(): ReadonlyMap<string, number> {
  monthsByName ??= new Map(
    LANGUAGES.flatMap((language) =>
      (['long', 'short'] as const).flatMap((month) => {
        const format = new Intl.DateTimeFormat(language, { month, timeZone: 'UTC' });
        return MONTHS.map((date, index) => [wordOf(format.format(date)), index + 1] as const);
      }),
    ),
  );
  return monthsByName;
}

const wordOf = (text: string): string => foldText(text).replaceAll('.', '');

/** "Mon, " or "sáb. " before a date. */
const WEEKDAY = String.raw`^\s*(?:\p{L}{2,12}\.?,? )?`;
const MONTH = String.raw`(?<month>\p{L}{3,12})\.?`;
const DATES_WITH_NAMES = [
  // "Jun 29, 2026".
  String.raw`${WEEKDAY}${MONTH} (?<day>\d{1,2})(?:st|nd|rd|th)?,? (?<year>\d{4})(?!\d),?`,
  // "29 Jun 2026", "29-Jun-26", "29. Juni 2026" or "29 de junio de 2026".
  String.raw`${WEEKDAY}(?<day>\d{1,2})(?:\.|er)?[ /-]?(?:\p{L}{2} )?${MONTH}[ /-](?:\p{L}{2,3} )?(?<year>\d{4}|\d{2})(?!\d),?`,
  // "2026-Jun-29".
  String.raw`^\s*(?<year>\d{4})[ /-]${MONTH}[ /-](?<day>\d{1,2})(?!\d),?`,
].map((pattern) => new RegExp(pattern, 'iu'));

/** In characters. */
const MAX_DATE_LENGTH = 100;
/** Letters, or characters that may be: quicker than `\p{L}`, for each row. */
const MAY_HAVE_NAME = /[a-z\u0080-\uffff]{3}/i;

/** The date in figures: "2026-6-29 6:15 AM" for "Jun 29, 2026 6:15 AM". Other text stays. */
export function withMonthNumber(text: string): string {
  if (text.length > MAX_DATE_LENGTH || !MAY_HAVE_NAME.test(text)) return text;

  for (const pattern of DATES_WITH_NAMES) {
    const match = pattern.exec(text);
    if (match === null) continue;

    const { day, month = '', year = '' } = match.groups ?? {};
    const number = monthNumbers().get(wordOf(month));
    if (number === undefined) continue;

    const fullYear = year.length === 2 ? `20${year}` : year;
    return `${fullYear}-${number}-${day}${text.slice(match[0].length)}`;
  }
  return text;
}
