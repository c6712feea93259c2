import { padTwo } from '../../domain/calendar.ts';
import { AMOUNT_FIELDS, type InputMode } from '../../domain/irrigation/watering-amount.ts';
import { civilAt, resolveCivil } from '../../domain/time-zone.ts';

export interface FormState {
  /** "module 7" or "parcel 2"; empty until one is chosen. */
  readonly target: string;
  /** Local time of the farm: "2026-07-01T06:00". */
  readonly start: string;
  readonly mode: InputMode;
  /** As typed. */
  readonly amount: string;
}

/** The value of a `datetime-local` input for an instant in ms. */
export function toLocalInput(at: number, zone: string): string {
  const { year, month, day, hour, minute } = civilAt(at, zone);
  return `${String(year).padStart(4, '0')}-${padTwo(month)}-${padTwo(day)}T${padTwo(hour)}:${padTwo(minute)}`;
}

/** ms; in a repeated hour the first one, as for the tools. Null if it is not a time, "gap" if the clocks skip it. */
export function fromLocalInput(text: string, zone: string): number | 'gap' | null {
  const match = /^(\d{4,6})-(\d\d)-(\d\d)T(\d\d):(\d\d)/.exec(text);
  if (!match) return null;
  const [year, month, day, hour, minute] = match.slice(1).map(Number) as [number, number, number, number, number];
  const { at, resolution } = resolveCivil({ year, month, day, hour, minute, second: 0, millisecond: 0 }, zone);
  return resolution === 'gap' ? 'gap' : at;
}

/** Why a text is not an amount. */
type AmountFault = 'grouped' | 'tooLittle' | 'unreadable';

/** Reads "1,5" and "1.5" alike. "1,000" is a thousand to one person and one to another, so it is refused. */
export function typedAmount(text: string): number | AmountFault {
  const typed = text.trim();
  if (/^[1-9]\d{0,2}[.,]\d{3}$/.test(typed)) return 'grouped';
  if (/^-?(\d+[.,]?\d*|[.,]\d+)$/.test(typed)) {
    const value = Number(typed.replace(',', '.'));
    return value > 0 && Number.isFinite(value) ? value : 'tooLittle';
  }
  return /^\d[\d\s.,'’]*$/.test(typed) ? 'grouped' : 'unreadable';
}

/** The arguments of preview_watering, log_watering and log_parcel_watering; null while something is missing. */
export function entryOf({ target, start, mode, amount }: FormState, zone: string) {
  const [kind, id] = target.split(' ');
  const at = fromLocalInput(start, zone);
  const value = typedAmount(amount);
  if (id === undefined || typeof at !== 'number' || typeof value !== 'number') return null;
  const place = kind === 'parcel' ? { parcelId: Number(id) } : { moduleId: Number(id) };
  return { ...place, startedAt: new Date(at).toISOString(), inputMode: mode, [AMOUNT_FIELDS[mode].field]: value };
}
