import { type AmountRefusal, durationOf, misfitAmount, missingAmount, type SpanRefusal } from '../domain/amount.ts';
import type { DoseInput, InputMode } from '../domain/dose.ts';
import type { Asked } from '../operation/call.ts';
import { sayInstant } from '../operation/say-time.ts';
import { refuse } from '../schema/error.ts';
import type { WateringStatus } from '../schema/watering.ts';

/** Body of a watering write; instants in ms. A field that is undefined was not sent. */
export interface WateringEntry {
  readonly startedAt: number;
  readonly inputMode: InputMode;
  readonly durationMin?: number | null;
  readonly endedAt?: number | null;
  readonly inputDepthMm?: number | null;
  readonly inputVolumeM3?: number | null;
  readonly status?: WateringStatus;
  readonly note?: string | null;
}

/** How far ahead a start still counts as now, for clocks that differ. */
const CLOCK_TOLERANCE_MS = 5 * 60_000;
/** Ten years: further ahead is a slip of the year, not a plan. */
const FURTHEST_PLAN_MS = 3653 * 86_400_000;

const AMOUNT_WORDS: Record<AmountRefusal['code'], string> = {
  MISSING_DURATION: 'inputMode duration needs durationMin (minutes) or endedAt.',
  MISSING_DEPTH: 'inputMode depth_mm needs inputDepthMm (mm over the whole area).',
  MISSING_VOLUME: 'inputMode volume_m3 needs inputVolumeM3 (m3).',
};

const SPAN_WORDS: Record<SpanRefusal, { message: string; hint: string; field: string }> = {
  INVALID_DURATION: {
    message: 'The watering would last more than 31 days.',
    hint: 'Check startedAt and endedAt; a watering lasts up to 44640 minutes.',
    field: 'endedAt',
  },
  INVALID_ENDED_AT: {
    message: 'durationMin and endedAt disagree.',
    hint: 'Give only one of the two.',
    field: 'endedAt',
  },
  ENDED_BEFORE_STARTED: {
    message: 'endedAt is not after startedAt.',
    hint: 'Check both; over midnight the end is on the next day.',
    field: 'endedAt',
  },
};

export function refuseStart(startedAt: number, { now, zone }: Asked): void {
  if (startedAt >= 0 && startedAt <= now + FURTHEST_PLAN_MS) return;
  throw refuse(
    'INVALID_STARTED_AT',
    `startedAt ${sayInstant(startedAt, zone, now)} is not a date a watering can have.`,
    {
      hint: 'Check the year: from 1970 to ten years ahead.',
      field: 'startedAt',
    },
  );
}

export function durationOfEntry(entry: WateringEntry): number | null {
  const span = durationOf(entry.startedAt, entry.durationMin, entry.endedAt);
  if (!('refused' in span)) return span.durationMin;
  const { message, hint, field } = SPAN_WORDS[span.refused];
  throw refuse(span.refused, message, { hint, field });
}

export function refuseMissing(input: DoseInput): void {
  const missing = missingAmount(input);
  if (missing)
    throw refuse(missing.code, AMOUNT_WORDS[missing.code], {
      hint: `Ask for the amount and pass ${missing.field}.`,
      field: missing.field,
    });
}

export function refuseMisfit(entry: WateringEntry): void {
  const misfit = misfitAmount(entry);
  if (misfit)
    throw refuse(misfit.code, `${misfit.field} does not go with inputMode ${entry.inputMode}.`, {
      hint: `Give the amount of one mode only: leave ${misfit.field} out, or choose its mode.`,
      field: misfit.field,
    });
}

const hasBegun = (startedAt: number, now: number): boolean => startedAt <= now + CLOCK_TOLERANCE_MS;

export function refuseDoneAhead(status: WateringStatus, startedAt: number, { now, zone }: Asked): void {
  if (status === 'done' && !hasBegun(startedAt, now))
    throw refuse(
      'INVALID_STATUS',
      `The watering starts ${sayInstant(startedAt, zone, now)} (${zone}), which is still to come, so it cannot be done.`,
      {
        hint: 'Pass status planned, or correct startedAt.',
        field: 'status',
      },
    );
}

/** What an entry asks to be written; refuses what is inconsistent in itself. */
export function soundWatering(entry: WateringEntry, asked: Asked): { input: DoseInput; status: WateringStatus } {
  refuseStart(entry.startedAt, asked);
  refuseMisfit(entry);
  const input: DoseInput = {
    inputMode: entry.inputMode,
    durationMin: durationOfEntry(entry),
    inputDepthMm: entry.inputDepthMm ?? null,
    inputVolumeM3: entry.inputVolumeM3 ?? null,
  };
  refuseMissing(input);
  const status = entry.status ?? (hasBegun(entry.startedAt, asked.now) ? 'done' : 'planned');
  refuseDoneAhead(status, entry.startedAt, asked);
  return { input, status };
}
