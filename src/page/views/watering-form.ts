import type { InputMode, SentAmounts } from '../../domain/irrigation/watering-amount.ts';
import { localMsAt, resolveLocal } from '../../domain/time-zone.ts';
import { inchesToMm, LITRES_PER_US_GALLON } from '../../domain/units.ts';
import type { PageContextValue } from '../page-context.ts';

export interface WateringForm {
  /** "module 7" or "parcel 2"; empty until one is chosen. */
  readonly target: string;
  /** Local time of the farm: "2026-07-01T06:00". */
  readonly start: string;
  readonly mode: InputMode;
  /** The text that was typed. */
  readonly amount: string;
}

const toMinute = (isoTime: string): string => isoTime.slice(0, 16);

/** The value of a `datetime-local` input for an instant in ms. */
export function toDatetimeLocal(at: number, zone: string): string {
  return toMinute(new Date(localMsAt(at, zone)).toISOString());
}

/**
 * ms; in a repeated hour the first one, as for the tools. Null if the text is not a time, "gap" if
 * the clocks skip that hour.
 */
export function parseDatetimeLocal(text: string, zone: string): number | 'gap' | null {
  const localMs = Date.parse(`${toMinute(text)}Z`);
  if (Number.isNaN(localMs)) return null;

  const { at, resolution } = resolveLocal(localMs, zone);
  return resolution === 'gap' ? 'gap' : at;
}

/** Why a text is not an amount; "grouped" for a possible separator of thousands. */
type AmountFault = 'grouped' | 'tooLittle' | 'unreadable';

/**
 * Reads "1,5" and "1.5" alike. "1,000" is a thousand to some people and one to others, so it is
 * refused.
 */
export function parseTypedAmount(text: string): number | AmountFault {
  const typed = text.trim();
  if (/^[1-9]\d{0,2}[.,]\d{3}$/.test(typed)) return 'grouped';
  if (/^-?(\d+(?:[.,]\d*)?|[.,]\d+)$/.test(typed)) {
    const value = Number(typed.replace(',', '.'));
    return value > 0 && Number.isFinite(value) ? value : 'tooLittle';
  }
  return /^\d[\d\s.,'’]*$/.test(typed) ? 'grouped' : 'unreadable';
}

/** The sizes of the units in which amounts are typed, in mm and m3. */
const AMOUNT_SIZES = {
  metric: { depth_mm: 1, volume_m3: 1 },
  us: { depth_mm: inchesToMm(1), volume_m3: LITRES_PER_US_GALLON / 1000 },
};

/**
 * The arguments of preview_watering, log_watering and log_parcel_watering; null while something is
 * missing.
 */
export function wateringArguments(
  { target, start, mode, amount }: WateringForm,
  { zone, units }: Pick<PageContextValue, 'zone' | 'units'>,
) {
  const [kind, id] = target.split(' ');
  const at = parseDatetimeLocal(start, zone);
  const value = parseTypedAmount(amount);
  if (id === undefined || typeof at !== 'number' || typeof value !== 'number') return null;

  const reference = kind === 'parcel' ? { parcelId: Number(id) } : { moduleId: Number(id) };
  const sizes = AMOUNT_SIZES[units];
  const amounts: Readonly<Record<InputMode, SentAmounts>> = {
    duration: { durationMin: value },
    depth_mm: { inputDepthMm: value * sizes.depth_mm },
    volume_m3: { inputVolumeM3: value * sizes.volume_m3 },
  };

  return {
    ...reference,
    startedAt: new Date(at).toISOString(),
    inputMode: mode,
    ...amounts[mode],
  };
}
