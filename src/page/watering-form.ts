import { padTwo } from '../domain/calendar.ts';
import type { InputMode } from '../domain/irrigation/watering-amount.ts';
import { AMOUNT_FIELDS } from '../domain/irrigation/watering-amount.ts';
import { civilAt, resolveCivil } from '../domain/time-zone.ts';

export interface FormState {
  /** "module 7" or "parcel 2"; empty until one is chosen. */
  readonly target: string;
  /** Local time of the farm: "2026-07-01T06:00". */
  readonly start: string;
  readonly mode: InputMode;
  /** As typed. */
  readonly amount: string;
}

/** In the form that an input for date and time takes; ms. */
export function toLocalInput(at: number, zone: string): string {
  const { year, month, day, hour, minute } = civilAt(at, zone);
  return `${String(year).padStart(4, '0')}-${padTwo(month)}-${padTwo(day)}T${padTwo(hour)}:${padTwo(minute)}`;
}

/** In a repeated hour the first one, as the tools take it; null if it is no time, "gap" if the clocks skip it. */
export function fromLocalInput(text: string, zone: string): number | 'gap' | null {
  const match = /^(\d{4,6})-(\d\d)-(\d\d)T(\d\d):(\d\d)/.exec(text);
  if (!match) return null;
  const [year, month, day, hour, minute] = match.slice(1).map(Number) as [number, number, number, number, number];
  const { at, resolution } = resolveCivil({ year, month, day, hour, minute, second: 0, millisecond: 0 }, zone);
  return resolution === 'gap' ? 'gap' : at;
}

/** "1,5" and "1.5" alike; null if it is no positive number. */
export function typedAmount(text: string): number | null {
  const trimmed = text.trim().replace(',', '.');
  const value = /^(\d+\.?\d*|\.\d+)$/.test(trimmed) ? Number(trimmed) : Number.NaN;
  return value > 0 && Number.isFinite(value) ? value : null;
}

/** The arguments of preview_watering, log_watering and log_parcel_watering; null while something is missing. */
export function entryOf({ target, start, mode, amount }: FormState, zone: string) {
  const [kind, id] = target.split(' ');
  const at = fromLocalInput(start, zone);
  const value = typedAmount(amount);
  if (id === undefined || typeof at !== 'number' || value === null) return null;
  const place = kind === 'parcel' ? { parcelId: Number(id) } : { moduleId: Number(id) };
  return { ...place, startedAt: new Date(at).toISOString(), inputMode: mode, [AMOUNT_FIELDS[mode].field]: value };
}
