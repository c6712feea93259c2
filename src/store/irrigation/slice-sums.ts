import type { WateringStatus } from '../../schema/irrigation/watering.ts';

export interface DoseSums {
  readonly status: WateringStatus;
  readonly moduleId: number;
  readonly count: number;
  readonly withoutDose: number;
  /** Null if no watering has a dose. */
  readonly waterMm: number | null;
  /** Null if no dose has one. A dose on a wholly wetted area counts with its `waterMm`. */
  readonly waterMmWetted: number | null;
  /** How many a person confirmed, and their part of `waterMm`. */
  readonly confirmed: number;
  readonly confirmedMm: number | null;
}

export interface IrrigationSums {
  readonly status: WateringStatus;
  readonly irrigations: number;
  readonly minutes: number | null;
  readonly withoutDuration: number;
  readonly volumeM3: number | null;
  readonly withoutVolume: number;
}

/** Null if neither has a figure. */
const sumOf = (a: number | null, b: number | null): number | null => {
  if (a === null || b === null) return a ?? b;
  return a + b;
};

const largest = (a: number | null, b: number | null): number | null => {
  if (a === null || b === null) return a ?? b;
  return Math.max(a, b);
};

interface Doses {
  readonly count: number;
  readonly withDose: number;
  readonly withWetted: number;
  readonly waterMm: number | null;
  readonly mmOnWettedArea: number | null;
  readonly confirmed: number;
  readonly confirmedMm: number | null;
}

const addDoses = (a: Doses, b: Doses): Doses => ({
  count: a.count + b.count,
  withDose: a.withDose + b.withDose,
  withWetted: a.withWetted + b.withWetted,
  waterMm: sumOf(a.waterMm, b.waterMm),
  mmOnWettedArea: sumOf(a.mmOnWettedArea, b.mmOnWettedArea),
  confirmed: a.confirmed + b.confirmed,
  confirmedMm: sumOf(a.confirmedMm, b.confirmedMm),
});

interface IrrigationFigures {
  readonly minutes: number | null;
  readonly volumeM3: number | null;
}

interface Irrigations extends IrrigationFigures {
  readonly count: number;
  readonly withDuration: number;
  readonly withVolume: number;
}

/** The waterings of one status and module in a slice, those of shared irrigations apart. */
interface ModuleSums extends Doses, Irrigations {
  readonly status: WateringStatus;
  readonly moduleId: number;
  /** 1 for waterings that are each an irrigation by themselves, 0 for those that share one. */
  readonly isSingle: number;
}

/** An irrigation of several waterings, with the figures of those in one slice. */
interface SharedIrrigation extends IrrigationFigures {
  readonly status: WateringStatus;
  readonly irrigationId: number | null;
  readonly scheduleId: number | null;
  readonly scheduledStart: string | null;
}

const NO_FIGURES: IrrigationFigures = { minutes: null, volumeM3: null };
const NO_IRRIGATIONS: Irrigations = { ...NO_FIGURES, count: 0, withDuration: 0, withVolume: 0 };

const addIrrigations = (a: Irrigations, b: Irrigations): Irrigations => ({
  count: a.count + b.count,
  minutes: sumOf(a.minutes, b.minutes),
  withDuration: a.withDuration + b.withDuration,
  volumeM3: sumOf(a.volumeM3, b.volumeM3),
  withVolume: a.withVolume + b.withVolume,
});

/**
 * What the waterings of one irrigation in a slice add to the sums of their status. Each has the
 * figures of the whole irrigation, so the largest counts once. `before` has the figures of earlier
 * slices, and is undefined if none of them has such a watering; `after` includes this slice.
 */
function addedBySlice(
  before: IrrigationFigures | undefined,
  after: IrrigationFigures,
): Irrigations {
  const { minutes, volumeM3 } = before ?? NO_FIGURES;
  return {
    count: before === undefined ? 1 : 0,
    minutes: after.minutes === null ? null : after.minutes - (minutes ?? 0),
    withDuration: after.minutes !== null && minutes === null ? 1 : 0,
    volumeM3: after.volumeM3 === null ? null : after.volumeM3 - (volumeM3 ?? 0),
    withVolume: after.volumeM3 !== null && volumeM3 === null ? 1 : 0,
  };
}

/** Adds up the sums of waterings that were read slice by slice. */
export class SliceSums {
  readonly #doses = new Map<string, Doses & { status: WateringStatus; moduleId: number }>();
  readonly #irrigations = new Map<WateringStatus, Irrigations>();
  /** Irrigations of several waterings, of which later slices may have further ones. */
  readonly #sharedIrrigations = new Map<string, IrrigationFigures>();

  addModules(rows: readonly ModuleSums[]): void {
    for (const { status, moduleId, isSingle, ...row } of rows) {
      const key = `${status} ${moduleId}`;
      const earlier = this.#doses.get(key);
      this.#doses.set(key, { status, moduleId, ...(earlier ? addDoses(earlier, row) : row) });
      if (isSingle === 1) this.#addToStatus(status, row);
    }
  }

  addSharedIrrigations(rows: readonly SharedIrrigation[]): void {
    for (const { status, irrigationId, scheduleId, scheduledStart, minutes, volumeM3 } of rows) {
      const key = `${status} ${irrigationId} ${scheduleId} ${scheduledStart}`;
      const before = this.#sharedIrrigations.get(key);
      const after = {
        minutes: largest(minutes, before?.minutes ?? null),
        volumeM3: largest(volumeM3, before?.volumeM3 ?? null),
      };

      this.#sharedIrrigations.set(key, after);
      this.#addToStatus(status, addedBySlice(before, after));
    }
  }

  #addToStatus(status: WateringStatus, added: Irrigations): void {
    const before = this.#irrigations.get(status) ?? NO_IRRIGATIONS;
    this.#irrigations.set(status, addIrrigations(before, added));
  }

  doses(): DoseSums[] {
    return [...this.#doses.values()]
      .sort((a, b) => a.moduleId - b.moduleId)
      .map(({ withDose, withWetted, mmOnWettedArea, ...sums }) => ({
        ...sums,
        withoutDose: sums.count - withDose,
        waterMmWetted: withWetted === 0 ? null : mmOnWettedArea,
      }));
  }

  irrigations(): IrrigationSums[] {
    return [...this.#irrigations].map(([status, sums]) => ({
      status,
      irrigations: sums.count,
      minutes: sums.minutes,
      withoutDuration: sums.count - sums.withDuration,
      volumeM3: sums.volumeM3,
      withoutVolume: sums.count - sums.withVolume,
    }));
  }
}
