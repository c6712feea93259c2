import type { ClockPhrase, DayPart, PartOfDay } from './word-rule.ts';

/** On the 24-hour clock, `dayShift` days after the named day. */
export interface ResolvedClock {
  minutes: number;
  second: number;
  dayShift: number;
}

export const PART_OF_DAY_MINUTES: Record<Exclude<PartOfDay, 'last night'>, [number, number]> = {
  morning: [0, 12 * 60],
  'middle of the day': [12 * 60, 16 * 60],
  afternoon: [12 * 60, 19 * 60],
  'afternoon or early evening': [12 * 60, 21 * 60],
  evening: [16 * 60, 24 * 60],
  night: [18 * 60, 24 * 60],
};

/** On the 24-hour clock unless a part of the day moves the hour; an hour that could be in either half is refused. */
export function resolveClock(clock: ClockPhrase, part: DayPart | null): ResolvedClock | { error: string } {
  if (clock.form === 'midnight') return resolveMidnight(clock, part);
  const { second } = clock;
  const total = clock.hour * 60 + clock.minute;
  if (part === null) {
    const isEarly = clock.hour < 5 || total < 5 * 60;
    const isAmbiguous =
      (clock.form === 'spoken' && (clock.hour === 12 || isEarly)) || (clock.form === 'written' && isEarly);
    if (isAmbiguous) return ambiguousHalfError(total);
    return { minutes: total, second, dayShift: 0 };
  }
  const options = possibleHours(clock).map((hour) => hour * 60 + clock.minute);
  if (part.name === 'last night') {
    for (const minutes of options) {
      if (minutes >= 0 && minutes < 5 * 60) return { minutes, second, dayShift: 0 };
      if (minutes >= 18 * 60 && minutes < 24 * 60) return { minutes, second, dayShift: -1 };
    }
    return { error: 'that hour is not in the night' };
  }
  const [from, to] = PART_OF_DAY_MINUTES[part.name];
  const isTwelveAsMidnight = (each: number): boolean => each === 0 && clock.hour === 12;
  const minutes = options.find((each) => each >= from && each < to && !isTwelveAsMidnight(each));
  if (minutes === undefined) return { error: `that hour is not in the ${part.name}: say the date and the hour` };
  return { minutes, second, dayShift: 0 };
}

export function ambiguousHalfError(total: number): { error: string } {
  const hour = Math.floor(total / 60) % 12;
  const clockText = (h: number): string => `${String(h).padStart(2, '0')}:${String(total % 60).padStart(2, '0')}`;
  return { error: `the hour could be ${clockText(hour)} or ${clockText(hour + 12)}: say which` };
}

/** "midnight" alone may be the start or the end of a day; with an evening or a night it is the end. */
function resolveMidnight(clock: ClockPhrase, part: DayPart | null): ResolvedClock | { error: string } {
  if (part?.name === 'last night') return { minutes: clock.minute, second: 0, dayShift: 0 };
  if (part?.name === 'evening' || part?.name === 'night') return { minutes: clock.minute, second: 0, dayShift: 1 };
  return { error: 'midnight could be the start or the end of that day: say 00:00 and the date' };
}

function possibleHours(clock: ClockPhrase): number[] {
  if (clock.form === 'exact') return [clock.hour];
  const hour12 = clock.hour % 12;
  return [hour12, hour12 + 12, hour12 + 24];
}
