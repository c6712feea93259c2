import type { Sensor } from '../../store/company/sensors.ts';
import { type ImportedSensor, newImportedSensor } from './collected-readings.ts';
import { measurementRange, type ValueRange } from './reading-values.ts';
import { type OnClockRunsOn, RowSequence } from './row-sequence.ts';

/** The rows of one sensor in a file or batch. */
export interface SensorRows {
  readonly sensor: ImportedSensor;
  readonly sequence: RowSequence;
  readonly range: ValueRange;
}

export class RowsBySensor {
  readonly #bySensor = new Map<number, SensorRows>();
  readonly #onClockRunsOn: OnClockRunsOn | undefined;

  constructor(onClockRunsOn?: OnClockRunsOn) {
    this.#onClockRunsOn = onClockRunsOn;
  }

  of({ id, type }: Sensor): SensorRows {
    const known = this.#bySensor.get(id);
    if (known !== undefined) return known;

    const rows = {
      sensor: newImportedSensor(id),
      sequence: new RowSequence(this.#onClockRunsOn),
      range: measurementRange(type),
    };
    this.#bySensor.set(id, rows);
    return rows;
  }

  /** Stores the rows of a repeated hour that are still deferred. */
  storeDeferred(): void {
    for (const { sequence } of this.#bySensor.values()) sequence.storeDeferred();
  }
}
