import { say } from './say.ts';
import type { Text, Time } from './text.ts';

const msOf = (time: string | number): number =>
  typeof time === 'number' ? time : Date.parse(time);

/** "today 06:00", "12 Jul 06:00"; a time is in ms or in ISO 8601. */
export const timeOf = (time: string | number): Time => ({ kind: 'instant', at: msOf(time) });

/** The clock alone where the other time is on the same local day. */
export const timeRelativeTo = (time: string | number, other: string | number): Time => ({
  kind: 'instant',
  at: msOf(time),
  sameDayAs: msOf(other),
});

/** "today 06:00 (Europe/Madrid)" */
export const timeWithZone = (time: string | number): Text => say`${timeOf(time)} (${zone})`;

/** "from today 06:00 (Europe/Madrid)", or "from the start" for what holds since ever. */
export const fromTime = (time: string | number): Text =>
  msOf(time) === 0 ? say`from the start` : say`from ${timeWithZone(time)}`;

/** "yesterday", "12 Jul" */
export const dateOf = (time: string | number): Time => ({ kind: 'dateOf', at: msOf(time) });

/** "1 July, 06:00", for what is read later. */
export const longTimeOf = (at: number): Time => ({ kind: 'longInstant', at });

/** "1 July" */
export const longDateOf = (at: number): Time => ({ kind: 'longDate', at });

/** "today 06:00 to 06:45" */
export const period = (from: string | number, to: string | number | null): Time => ({
  kind: 'period',
  from: msOf(from),
  to: to === null ? null : msOf(to),
});

/** A local day such as "2026-07-14". */
export const localDay = (day: string): Time => ({ kind: 'day', day });

/** "Thursday", of a local day. */
export const weekday = (day: string): Time => ({ kind: 'weekday', day });

/** "15 November" for "11-15". */
export const dayOfYear = (day: string): Time => ({ kind: 'dayOfYear', day });

/** A local time such as "06:00". */
export const clock = (time: string): Time => ({ kind: 'clock', clock: time });

/** The time of a schedule, whose zone may be another than that of the reader. */
export const inZone = (time: Time, zone: string): Time => ({ ...time, inZone: zone });

/** The name of the zone in which times are said. */
export const zone: Time = { kind: 'zone' };
