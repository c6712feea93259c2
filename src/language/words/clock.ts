/** Hours and parts of the day in words. */
import { isClockTime } from '../../domain/calendar.ts';
import { DAY_UNIT, MONTH } from './day.ts';
import { NUMBER_WORD, numberValue, unmarkNumbers } from './number.ts';
import { type ClockPhrase, type DayPart, refusedToken, type TimeToken, type WordRule, wordRule } from './word-rule.ts';

const HALF_DAY = '(?<half>am|pm)';
/** What follows "six heures": a figure, a half or quarters, or what is missing to the full hour. */
const FRENCH_MINUTES = `(?: (?:et )?(?<quarters>#?[13]) quarts?| (?<past>\\d{1,2}|${NUMBER_WORD})(?: minutes?)?| et (?<part>demie?|quart)| moins (?:(?<quarter>(?:(?:le|#1) )?quart)|(?<to>\\d{1,2}|${NUMBER_WORD})(?: minutes?)?))?`;
const HOUR = `(?:\\d{1,2}|${NUMBER_WORD})`;
const O_CLOCK = "o'? ?clock";

export const CLOCK_RULES: readonly WordRule[] = [
  wordRule(`(?<h>\\d{1,2}):(?<m>\\d{2})(?::(?<s>\\d{2}))?(?: ?${HALF_DAY}| ?(?:h|hrs|hours|heures))?`, (g, text) =>
    clockTokens(text, { hour: g.h, minute: g.m, second: g.s, half: g.half, form: formOfHour(g.h) }),
  ),
  wordRule('\\d+(?::\\d*)+(?: ?(?:am|pm))?', (_, text) => notAClock(text)),
  wordRule('(?<h>\\d{1,2}) ?h ?(?<m>\\d{2})(?: ?(?:min|mn|minutes?))?', (g, text) =>
    clockTokens(text, { hour: g.h, minute: g.m, form: formOfHour(g.h) }),
  ),
  wordRule(`(?<h>\\d{1,2}) ?h${FRENCH_MINUTES}`, (g, text) => frenchClockTokens(text, g, formOfHour(g.h))),
  wordRule('\\d+ ?h ?\\d+', (_, text) => notAClock(text)),
  wordRule(`(?<h>${HOUR}) heures?${FRENCH_MINUTES}`, (g, text) =>
    frenchClockTokens(text, g, numberValue(g.h!) === 12 ? 'written' : 'spoken'),
  ),
  wordRule(
    `(?:(?:a )?(?<part>half|quarter)|(?<n>${HOUR})(?<unit> minutes?)?) (?<side>past|after|to|till) (?<h>${HOUR}|noon|midnight)(?: ${O_CLOCK})?(?: ${HALF_DAY})?`,
    (g, text) => englishClockTokens(text, g),
  ),
  // British for half past, American for quarter to.
  wordRule(`half (?<h>${NUMBER_WORD})(?: ${HALF_DAY})?`, (g, text) => englishClockTokens(text, { ...g, part: 'half' })),
  wordRule(`(?:a )?quarter of (?<h>${HOUR})(?: ${HALF_DAY})?`, (g, text) =>
    englishClockTokens(text, { ...g, part: 'quarter', side: 'to' }),
  ),
  wordRule(`(?<h>${HOUR}) ${O_CLOCK}(?: ${HALF_DAY})?`, (g, text) =>
    clockTokens(text, { hour: g.h, minute: '0', half: g.half, form: 'spoken' }),
  ),
  wordRule(`(?<h>\\d{1,2})\\.(?<m>\\d{2}) ?${HALF_DAY}`, (g, text) =>
    clockTokens(text, { hour: g.h, minute: g.m, half: g.half, form: 'written' }),
  ),
  // Without "at" before it, 6.10 could be a date.
  wordRule('(?:at|a|around|about|vers) (?<h>\\d{1,2})\\.(?<m>\\d{2})', (g, text) =>
    clockTokens(text, { hour: g.h, minute: g.m, form: formOfHour(g.h) }),
  ),
  wordRule('(?<h>\\d{2})(?<m>\\d{2}) ?(?:hours|hrs)', (g, text) =>
    clockTokens(text, { hour: g.h, minute: g.m, form: 'exact' }),
  ),
  wordRule(`(?:(?:#0|oh?) )?(?<h>${NUMBER_WORD}) hundred(?: hours)?`, (g, text) =>
    clockTokens(text, { hour: g.h, minute: '0', form: 'exact' }),
  ),
  wordRule(`(?<h>\\d{1,2}) ?(?<m>[0-5]\\d) ?${HALF_DAY}`, (g, text) =>
    clockTokens(text, { hour: g.h, minute: g.m, half: g.half, form: 'written' }),
  ),
  wordRule(`(?<h>\\d{1,2}) (?<m>[0-5]\\d)(?! (?:of |de )?(?:${MONTH}|${DAY_UNIT}))`, (g, text) =>
    clockTokens(text, { hour: g.h, minute: g.m, form: formOfHour(g.h) }),
  ),
  wordRule(
    `(?<h>${NUMBER_WORD}|\\d{1,2}) (?:(?:oh?|#0) (?<units>#\\d)|(?<m>${NUMBER_WORD}))(?: ${HALF_DAY})?`,
    (g, text) => {
      const minute = numberValue(g.units ?? g.m!);
      if (g.units === undefined ? minute < 10 : minute < 1 || minute > 9) return notAClock(text);
      return clockTokens(text, { hour: g.h, minute: String(minute), half: g.half, form: 'spoken' });
    },
  ),
  wordRule(`(?<h>${HOUR}) ?${HALF_DAY}`, (g, text) =>
    clockTokens(text, { hour: g.h, minute: '0', half: g.half, form: 'spoken' }),
  ),
  wordRule('noon|midday|mid day', () => clockToken({ hour: 12, minute: 0, second: 0, form: 'exact' })),
  wordRule(`ce midi${FRENCH_MINUTES}`, (g, text) => [
    { kind: 'day', day: { type: 'offset', days: 0 } },
    ...frenchClockTokens(text, { ...g, h: '12' }, 'exact'),
  ]),
  wordRule(`midi${FRENCH_MINUTES}`, (g, text) => frenchClockTokens(text, { ...g, h: '12' }, 'exact')),
  wordRule(`minuit${FRENCH_MINUTES}`, (g, text) => frenchClockTokens(text, { ...g, h: '0' }, 'midnight')),
  wordRule('midnight', () => clockToken({ hour: 0, minute: 0, second: 0, form: 'midnight' })),
];

const partTokens = (name: DayPart['name'], isThis = false): TimeToken[] => [{ kind: 'part', part: { name, isThis } }];

export const PART_RULES: readonly WordRule[] = [
  wordRule('cette nuit|this night', () =>
    refusedToken('that night could be the past one or the coming one: give the date and the hour'),
  ),
  wordRule('last night|la nuit derniere|la nuit passee', () => partTokens('last night')),
  wordRule('last evening', () => [{ kind: 'day', day: { type: 'offset', days: -1 } }, ...partTokens('evening')]),
  wordRule('this morning|ce matin', () => partTokens('morning', true)),
  wordRule('this (?:afternoon|arvo)|cet(?:te)? (?:apres midi|aprem)', () => partTokens('afternoon', true)),
  wordRule('this evening|tonight|ce soir', () => partTokens('evening', true)),
  wordRule('(?:in the )?morning|(?:du |au |le )?mat(?:in)?|(?:(?:dans|en) (?:la )?)?matinee', () =>
    partTokens('morning'),
  ),
  wordRule("(?:in the )?(?:afternoon|arvo)|(?:de l'|dans l'|l')?(?:apres midi|aprem)", () => partTokens('afternoon')),
  wordRule('(?:in the )?evening|(?:du |au |le )?soir|(?:(?:dans|en) (?:la )?)?soiree', () => partTokens('evening')),
  wordRule('(?:at )?night|(?:de la |dans la |la )?nuit', () => partTokens('night')),
];

/** A bare number that the words around it make an hour ("at six", "6 du matin"), or hours and minutes ("at 630"). */
export function bareHourTokens(text: string): TimeToken[] {
  const run = /^(?<h>\d{1,2})(?<m>\d{2})$/.exec(text)?.groups;
  if (run !== undefined) return clockTokens(text, { hour: run.h, minute: run.m, form: formOfHour(run.h) });
  const hour = numberValue(text);
  return clockTokens(text, { hour: String(hour), minute: '0', form: hour > 12 || hour === 0 ? 'exact' : 'spoken' });
}

interface ClockParts {
  hour: string | undefined;
  minute: string | undefined;
  second?: string | undefined;
  half?: string | undefined;
  form: ClockPhrase['form'];
}

function clockTokens(text: string, parts: ClockParts): TimeToken[] {
  const hour = numberValue(parts.hour ?? '');
  const minute = numberValue(parts.minute ?? '0');
  const second = numberValue(parts.second ?? '0');
  if (!isClockTime(hour, minute, second)) return notAClock(text);
  if (parts.half === undefined) return clockToken({ hour, minute, second, form: hour > 12 ? 'exact' : parts.form });
  if (hour < 1 || hour > 12) return notAClock(text);
  return clockToken({ hour: (hour % 12) + (parts.half === 'pm' ? 12 : 0), minute, second, form: 'exact' });
}

function frenchClockTokens(
  text: string,
  g: Record<string, string | undefined>,
  form: ClockPhrase['form'],
): TimeToken[] {
  const past = pastMinutes(g);
  const missing = g.quarter === undefined ? numberValue(g.to ?? '0') : 15;
  return shiftMinutes(clockTokens(text, { hour: g.h, minute: '0', form }), past - missing, text);
}

function pastMinutes(g: Record<string, string | undefined>): number {
  if (g.quarters !== undefined) return 15 * numberValue(g.quarters);
  if (g.part !== undefined) return g.part === 'quart' ? 15 : 30;
  return numberValue(g.past ?? '0');
}

/** "half past six", "twenty to seven". "five to seven" may be a span of hours, so it needs the word minutes. */
function englishClockTokens(text: string, g: Record<string, string | undefined>): TimeToken[] {
  const minutes = g.part === undefined ? numberValue(g.n!) : g.part === 'half' ? 30 : 15;
  const isBefore = g.side === 'to' || g.side === 'till';
  if (isBefore && g.part === 'half') return notAClock(text);
  if (isBefore && g.part === undefined && g.unit === undefined && minutes <= 12) {
    return refusedToken('that could be an hour or a span of hours: write the hour in figures, for example 06:50');
  }
  if (minutes < 1 || minutes > 30) return notAClock(text);
  const base =
    g.h === 'midnight'
      ? clockToken({ hour: 0, minute: 0, second: 0, form: 'midnight' })
      : g.h === 'noon'
        ? clockToken({ hour: 12, minute: 0, second: 0, form: 'exact' })
        : clockTokens(text, { hour: g.h, minute: '0', half: g.half, form: 'spoken' });
  return shiftMinutes(base, isBefore ? -minutes : minutes, text);
}

/** Adds minutes to a full hour that was found; never back over midnight, where the day would be in doubt. */
function shiftMinutes(base: TimeToken[], minutes: number, text: string): TimeToken[] {
  const [first] = base;
  if (first?.kind !== 'clock') return base;
  if (Math.abs(minutes) > 59 || (first.clock.hour === 0 && minutes < 0)) return notAClock(text);
  return clockToken({ ...first.clock, minute: minutes });
}

/** "06:30" is the 24-hour clock; "6:30" may be moved to the evening by words. */
const formOfHour = (hour: string | undefined): ClockPhrase['form'] =>
  hour !== undefined && hour.length === 2 && Number(hour) < 10 ? 'exact' : Number(hour) === 0 ? 'exact' : 'written';

const clockToken = (value: ClockPhrase): TimeToken[] => [{ kind: 'clock', clock: value }];
const notAClock = (text: string): TimeToken[] => refusedToken(`${unmarkNumbers(text)} is not a time of day`);
