import type { DoseEquipment } from '../irrigation/dose.ts';
import type { InputMode } from '../irrigation/watering-amount.ts';
import { MINUTE_MS, type Period } from '../periods.ts';

/** A watering as answers use it; instants in ms. */
export interface WateringFacts {
  readonly id: number;
  /** Null for one of a parcel that had no probe. */
  readonly moduleId: number | null;
  readonly scheduleId: number | null;
  readonly isDetached: boolean;
  readonly startedAt: number;
  readonly durationMin: number | null;
  readonly inputMode: InputMode;
  /** mm over the whole area; null if unknown. */
  readonly waterMm: number | null;
  readonly waterMmWetted: number | null;
  /** The equipment from which its dose was computed; null without a dose. */
  readonly scope: DoseEquipment['scope'] | null;
  readonly status: 'planned' | 'done' | 'skipped';
  /** A person said that it ran. */
  readonly isConfirmed: boolean;
}

export interface ProbeWateringFacts extends WateringFacts {
  readonly moduleId: number;
}

/** One of a parcel that had no probe. */
export interface ParcelWateringFacts extends WateringFacts {
  readonly parcelId: number;
}

export const isOnProbe = <Watering extends { readonly moduleId: number | null }>(
  watering: Watering,
): watering is Watering & { readonly moduleId: number } => watering.moduleId !== null;

interface ProbeWaterings {
  /** The waterings of the probe itself. */
  readonly waterings: readonly WateringFacts[];
  readonly wateringsOnValve: readonly WateringFacts[];
}

/** When a watering runs; with an unknown duration, it ends at its start. */
export const runPeriod = ({ startedAt, durationMin }: WateringFacts): Period => ({
  start: startedAt,
  end: startedAt + (durationMin ?? 0) * MINUTE_MS,
});

/** The waterings that have started by now. */
export const begunWaterings = (
  waterings: readonly WateringFacts[],
  now: number,
): readonly WateringFacts[] => waterings.filter(({ startedAt }) => startedAt <= now);

/** The waterings that were done and have started by now. */
export const doneWaterings = (
  waterings: readonly WateringFacts[],
  now: number,
): readonly WateringFacts[] =>
  begunWaterings(waterings, now).filter(({ status }) => status === 'done');

/**
 * The waterings that a probe should show: its own, or those on its valve, because a tensiometer
 * often has none of its own; not those of its parcel from before it was put in.
 */
export function wateringsToShow(
  { waterings, wateringsOnValve }: ProbeWaterings,
  now: number,
): readonly WateringFacts[] {
  const own = doneWaterings(waterings, now).filter(isOnProbe);
  return own.length === 0 ? doneWaterings(wateringsOnValve, now).filter(isOnProbe) : own;
}

/**
 * The waterings of a parcel that reach one of its probes: those logged on it, and those by the
 * equipment of the parcel, each once. A probe with equipment of its own has a valve of its own.
 */
export function wateringsOnValve(
  ofParcel: readonly WateringFacts[],
  moduleId: number,
  installation: Pick<DoseEquipment, 'scope'> | null,
): readonly WateringFacts[] {
  const hasOwnValve = installation?.scope === 'module';
  const reaching = ofParcel.filter(
    (watering) => watering.moduleId === moduleId || !(hasOwnValve || watering.scope === 'module'),
  );
  return onceEach(reaching, moduleId);
}

/**
 * The waterings of a probe with those that its parcel got while it had none, which are water of the
 * probe too. One that stands in both counts once. Oldest start first.
 */
export function withThoseOfParcel(
  ofProbe: readonly WateringFacts[],
  ofParcel: readonly WateringFacts[],
): readonly WateringFacts[] {
  if (ofParcel.length === 0) return ofProbe;
  const starts = new Set(ofProbe.map(({ startedAt }) => startedAt));
  const others = ofParcel.filter(({ startedAt }) => !starts.has(startedAt));
  return [...ofProbe, ...others].sort((a, b) => a.startedAt - b.startedAt || a.id - b.id);
}

/** The latest end of these waterings; null if there are none. */
export const lastWateringEnd = (waterings: readonly WateringFacts[]): number | null =>
  waterings.length === 0 ? null : Math.max(...waterings.map((watering) => runPeriod(watering).end));

/**
 * Each watering of a parcel once, although it is logged on every probe. Of several with the same
 * start the probe's own one remains.
 */
export function onceEach<
  Watering extends { readonly moduleId: number | null; readonly startedAt: number | string },
>(ofParcel: readonly Watering[], moduleId: number | null): readonly Watering[] {
  const own = ofParcel.filter((watering) => watering.moduleId === moduleId);
  const byStart = new Map([...ofParcel, ...own].map((watering) => [watering.startedAt, watering]));
  return [...byStart.values()];
}
