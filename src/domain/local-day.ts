import { type CivilDate, civilDateOfUtcMs, epochDay } from './calendar.ts';
import { DAY_MS, type Period } from './periods.ts';
import { localMsAt, type ResolvedLocalTime, resolveLocal } from './time-zone.ts';

/** A day of the calendar. Facts and answers hold its ISO date, which sorts as the days do. */
export class LocalDay {
  /** Days since 1970. */
  readonly #number: number;

  private constructor(number: number) {
    this.#number = number;
  }

  /** The day on which an instant falls. */
  static at(at: number, zone: string): LocalDay {
    return new LocalDay(Math.floor(localMsAt(at, zone) / DAY_MS));
  }

  static of(date: CivilDate): LocalDay {
    return new LocalDay(epochDay(date));
  }

  static parse(isoDate: string): LocalDay {
    return new LocalDay(Date.parse(isoDate) / DAY_MS);
  }

  get iso(): string {
    return new Date(this.midnightMs).toISOString().slice(0, 10);
  }

  get civil(): CivilDate {
    return civilDateOfUtcMs(this.midnightMs);
  }

  /** 1 = Monday to 7 = Sunday. */
  get weekday(): number {
    return new Date(this.midnightMs).getUTCDay() || 7;
  }

  /** Its midnight, read as UTC. */
  get midnightMs(): number {
    return this.#number * DAY_MS;
  }

  next(): LocalDay {
    return this.plus(1);
  }

  plus(days: number): LocalDay {
    return new LocalDay(this.#number + days);
  }

  /** Negative for an earlier day. */
  daysUntil(day: LocalDay): number {
    return day.#number - this.#number;
  }

  /** Whether it is one of the days MM-DD from the first to the last, which may be next year's. */
  isWithin(first: string, last: string): boolean {
    const day = this.iso.slice('2026-'.length);
    return first > last ? day >= first || day <= last : day >= first && day <= last;
  }

  /** The days from this one to the last; none if the last is earlier. */
  until(last: LocalDay): LocalDay[] {
    const count = Math.max(0, this.daysUntil(last) + 1);
    return Array.from({ length: count }, (_, days) => this.plus(days));
  }

  /** The instant of a clock time, which counts in ms from midnight. */
  resolve(msOfDay: number, zone: string): ResolvedLocalTime {
    return resolveLocal(this.midnightMs + msOfDay, zone);
  }

  startIn(zone: string): number {
    return this.resolve(0, zone).at;
  }

  periodIn(zone: string): Period {
    return { start: this.startIn(zone), end: this.next().startIn(zone) };
  }
}
