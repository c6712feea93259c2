/** Hours and parts of the day in words. */
import { isClockTime } from '../domain/calendar.ts';
import { DAY_UNIT, MONTH } from './day-words.ts';
import { NUMBER_WORD, numberOf, unmark } from './number-words.ts';
import { type Clock, type DayPart, type Finding, refuse, rule, type WordRule } from './word-rule.ts';

const HALF_DAY = '(?<half>am|pm)';
/** What follows "six heures": a figure, a half or quarters, or what is missing to the full hour. */
const FRENCH_MINUTES = `(?: (?:et )?(?<quarters>#?[13]) quarts?| (?<past>\\d{1,2}|${NUMBER_WORD})(?: minutes?)?| et (?<part>demie?|quart)| moins (?:(?<quarter>(?:(?:le|#1) )?quart)|(?<to>\\d{1,2}|${NUMBER_WORD})(?: minutes?)?))?`;
const HOUR = `(?:\\d{1,2}|${NUMBER_WORD})`;
const O_CLOCK = "o'? ?clock";

export const CLOCK_RULES: readonly WordRule[] = [
  rule(`(?<h>\\d{1,2}):(?<m>\\d{2})(?::(?<s>\\d{2}))?(?: ?${HALF_DAY}| ?(?:h|hrs|hours|heures))?`, (g, text) =>
    clock(text, { hour: g.h, minute: g.m, second: g.s, half: g.half, said: writtenAs(g.h) }),
  ),
  rule('\\d+(?::\\d*)+(?: ?(?:am|pm))?', (_, text) => notAClock(text)),
  rule('(?<h>\\d{1,2}) ?h ?(?<m>\\d{2})(?: ?(?:min|mn|minutes?))?', (g, text) =>
    clock(text, { hour: g.h, minute: g.m, said: writtenAs(g.h) }),
  ),
  rule(`(?<h>\\d{1,2}) ?h${FRENCH_MINUTES}`, (g, text) => frenchClock(text, g, writtenAs(g.h))),
  rule('\\d+ ?h ?\\d+', (_, text) => notAClock(text)),
  rule(`(?<h>${HOUR}) heures?${FRENCH_MINUTES}`, (g, text) =>
    frenchClock(text, g, numberOf(g.h!) === 12 ? 'written' : 'spoken'),
  ),
  rule(
    `(?:(?:a )?(?<part>half|quarter)|(?<n>${HOUR})(?<unit> minutes?)?) (?<side>past|after|to|till) (?<h>${HOUR}|noon|midnight)(?: ${O_CLOCK})?(?: ${HALF_DAY})?`,
    (g, text) => englishClock(text, g),
  ),
  // British for half past, American for quarter to.
  rule(`half (?<h>${NUMBER_WORD})(?: ${HALF_DAY})?`, (g, text) => englishClock(text, { ...g, part: 'half' })),
  rule(`(?:a )?quarter of (?<h>${HOUR})(?: ${HALF_DAY})?`, (g, text) =>
    englishClock(text, { ...g, part: 'quarter', side: 'to' }),
  ),
  rule(`(?<h>${HOUR}) ${O_CLOCK}(?: ${HALF_DAY})?`, (g, text) =>
    clock(text, { hour: g.h, minute: '0', half: g.half, said: 'spoken' }),
  ),
  rule(`(?<h>\\d{1,2})\\.(?<m>\\d{2}) ?${HALF_DAY}`, (g, text) =>
    clock(text, { hour: g.h, minute: g.m, half: g.half, said: 'written' }),
  ),
  // Without "at" before it, 6.10 could be a date.
  rule('(?:at|a|around|about|vers) (?<h>\\d{1,2})\\.(?<m>\\d{2})', (g, text) =>
    clock(text, { hour: g.h, minute: g.m, said: writtenAs(g.h) }),
  ),
  rule('(?<h>\\d{2})(?<m>\\d{2}) ?(?:hours|hrs)', (g, text) => clock(text, { hour: g.h, minute: g.m, said: 'exact' })),
  rule(`(?:(?:#0|oh?) )?(?<h>${NUMBER_WORD}) hundred(?: hours)?`, (g, text) =>
    clock(text, { hour: g.h, minute: '0', said: 'exact' }),
  ),
  rule(`(?<h>\\d{1,2}) ?(?<m>[0-5]\\d) ?${HALF_DAY}`, (g, text) =>
    clock(text, { hour: g.h, minute: g.m, half: g.half, said: 'written' }),
  ),
  rule(`(?<h>\\d{1,2}) (?<m>[0-5]\\d)(?! (?:of |de )?(?:${MONTH}|${DAY_UNIT}))`, (g, text) =>
    clock(text, { hour: g.h, minute: g.m, said: writtenAs(g.h) }),
  ),
  rule(
    `(?<h>${NUMBER_WORD}|\\d{1,2}) (?:(?:oh?|#0) (?<units>#\\d)|(?<m>${NUMBER_WORD}))(?: ${HALF_DAY})?`,
    (g, text) => {
      const minute = numberOf(g.units ?? g.m!);
      if (g.units === undefined ? minute < 10 : minute < 1 || minute > 9) return notAClock(text);
      return clock(text, { hour: g.h, minute: String(minute), half: g.half, said: 'spoken' });
    },
  ),
  rule(`(?<h>${HOUR}) ?${HALF_DAY}`, (g, text) =>
    clock(text, { hour: g.h, minute: '0', half: g.half, said: 'spoken' }),
  ),
  rule('noon|midday|mid day', () => found({ hour: 12, minute: 0, second: 0, said: 'exact' })),
  rule(`ce midi${FRENCH_MINUTES}`, (g, text) => [
    { kind: 'day', day: { type: 'offset', days: 0 } },
    ...frenchClock(text, { ...g, h: '12' }, 'exact'),
  ]),
  rule(`midi${FRENCH_MINUTES}`, (g, text) => frenchClock(text, { ...g, h: '12' }, 'exact')),
  rule(`minuit${FRENCH_MINUTES}`, (g, text) => frenchClock(text, { ...g, h: '0' }, 'midnight')),
  rule('midnight', () => found({ hour: 0, minute: 0, second: 0, said: 'midnight' })),
];

const part = (name: DayPart['name'], isThis = false): Finding[] => [{ kind: 'part', part: { name, isThis } }];

export const PART_RULES: readonly WordRule[] = [
  rule('cette nuit|this night', () =>
    refuse('that night could be the past one or the coming one: give the date and the hour'),
  ),
  rule('last night|la nuit derniere|la nuit passee', () => part('last night')),
  rule('last evening', () => [{ kind: 'day', day: { type: 'offset', days: -1 } }, ...part('evening')]),
  rule('this morning|ce matin', () => part('morning', true)),
  rule('this (?:afternoon|arvo)|cet(?:te)? (?:apres midi|aprem)', () => part('afternoon', true)),
  rule('this evening|tonight|ce soir', () => part('evening', true)),
  rule('(?:in the )?morning|(?:du |au |le )?mat(?:in)?|(?:(?:dans|en) (?:la )?)?matinee', () => part('morning')),
  rule("(?:in the )?(?:afternoon|arvo)|(?:de l'|dans l'|l')?(?:apres midi|aprem)", () => part('afternoon')),
  rule('(?:in the )?evening|(?:du |au |le )?soir|(?:(?:dans|en) (?:la )?)?soiree', () => part('evening')),
  rule('(?:at )?night|(?:de la |dans la |la )?nuit', () => part('night')),
];

/** A bare number that the words around it make an hour ("at six", "6 du matin"), or hours and minutes ("at 630"). */
export function bareHour(text: string): Finding[] {
  const run = /^(?<h>\d{1,2})(?<m>\d{2})$/.exec(text)?.groups;
  if (run !== undefined) return clock(text, { hour: run.h, minute: run.m, said: writtenAs(run.h) });
  const hour = numberOf(text);
  return clock(text, { hour: String(hour), minute: '0', said: hour > 12 || hour === 0 ? 'exact' : 'spoken' });
}

interface SaidClock {
  hour: string | undefined;
  minute: string | undefined;
  second?: string | undefined;
  half?: string | undefined;
  said: Clock['said'];
}

function clock(text: string, given: SaidClock): Finding[] {
  const hour = numberOf(given.hour ?? '');
  const minute = numberOf(given.minute ?? '0');
  const second = numberOf(given.second ?? '0');
  if (!isClockTime(hour, minute, second)) return notAClock(text);
  if (given.half === undefined) return found({ hour, minute, second, said: hour > 12 ? 'exact' : given.said });
  if (hour < 1 || hour > 12) return notAClock(text);
  return found({ hour: (hour % 12) + (given.half === 'pm' ? 12 : 0), minute, second, said: 'exact' });
}

function frenchClock(text: string, g: Record<string, string | undefined>, said: Clock['said']): Finding[] {
  const past = pastMinutes(g);
  const missing = g.quarter === undefined ? numberOf(g.to ?? '0') : 15;
  return moved(clock(text, { hour: g.h, minute: '0', said }), past - missing, text);
}

function pastMinutes(g: Record<string, string | undefined>): number {
  if (g.quarters !== undefined) return 15 * numberOf(g.quarters);
  if (g.part !== undefined) return g.part === 'quart' ? 15 : 30;
  return numberOf(g.past ?? '0');
}

/** "half past six", "twenty to seven". "five to seven" may be a span of hours, so it needs the word minutes. */
function englishClock(text: string, g: Record<string, string | undefined>): Finding[] {
  const minutes = g.part === undefined ? numberOf(g.n!) : g.part === 'half' ? 30 : 15;
  const isBefore = g.side === 'to' || g.side === 'till';
  if (isBefore && g.part === 'half') return notAClock(text);
  if (isBefore && g.part === undefined && g.unit === undefined && minutes <= 12) {
    return refuse('that could be an hour or a span of hours: write the hour in figures, for example 06:50');
  }
  if (minutes < 1 || minutes > 30) return notAClock(text);
  const base =
    g.h === 'midnight'
      ? found({ hour: 0, minute: 0, second: 0, said: 'midnight' })
      : g.h === 'noon'
        ? found({ hour: 12, minute: 0, second: 0, said: 'exact' })
        : clock(text, { hour: g.h, minute: '0', half: g.half, said: 'spoken' });
  return moved(base, isBefore ? -minutes : minutes, text);
}

/** Adds minutes to a full hour that was found; never back over midnight, where the day would be in doubt. */
function moved(base: Finding[], minutes: number, text: string): Finding[] {
  const [first] = base;
  if (first?.kind !== 'clock') return base;
  if (Math.abs(minutes) > 59 || (first.clock.hour === 0 && minutes < 0)) return notAClock(text);
  return found({ ...first.clock, minute: minutes });
}

/** "06:30" is the 24-hour clock; "6:30" may be moved to the evening by words. */
const writtenAs = (hour: string | undefined): Clock['said'] =>
  hour !== undefined && hour.length === 2 && Number(hour) < 10 ? 'exact' : Number(hour) === 0 ? 'exact' : 'written';

const found = (value: Clock): Finding[] => [{ kind: 'clock', clock: value }];
const notAClock = (text: string): Finding[] => refuse(`${unmark(text)} is not a time of day`);
