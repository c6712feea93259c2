/** The arguments that are times of day, with what each of them ends on as it travels. Source: spec, "Alerts", "Schedules". */
const CLOCK_PRECISIONS: Record<string, 'seconds' | 'minutes'> = {
  reminderTime: 'seconds',
  startTimes: 'minutes',
};

const CLOCK = /^((?:[01]\d|2[0-3]):[0-5]\d)(:[0-5]\d)?$/;

/**
 * A time of day, or each of a list, as its argument travels: a person says hours and minutes, or writes 00 seconds too.
 * What is neither stays as it is, and is refused as such.
 */
export function readToolClock(name: string, value: unknown): unknown {
  const endsOn = CLOCK_PRECISIONS[name];
  if (endsOn === undefined) return value;
  if (Array.isArray(value)) return value.map((each) => readToolClock(name, each));
  if (typeof value !== 'string') return value;
  const [, minutes, seconds = ':00'] = CLOCK.exec(value.trim()) ?? [];
  if (minutes === undefined) return value;
  if (endsOn === 'seconds') return minutes + seconds;
  return seconds === ':00' ? minutes : value;
}
