import type { AmbiguousRow } from '../../domain/ingest/repeated-hour.ts';
import type { Sensor } from '../../store/company/sensors.ts';
import { type ImportedSensor, newImportedSensor } from './collected-readings.ts';
import { measurementRange, type ValueRange } from './reading-values.ts';
import { RowSequence } from './row-sequence.ts';

/** The rows of one sensor in a file or batch. */
interface RowsOfSensor {
  readonly sensor: ImportedSensor;
  readonly sequence: RowSequence;
  readonly range: ValueRange;
}

/** Called with the first row of a repeated hour that the clock of a module does not repeat. */
type OnClockOfModuleRunsOn = (row: AmbiguousRow, moduleId: number) => void;

export class RowsBySensor {
  readonly #bySensor = new Map<number, RowsOfSensor>();
  readonly #onClockRunsOn: OnClockOfModuleRunsOn | undefined;

  constructor(onClockRunsOn?: OnClockOfModuleRunsOn) {
    this.#onClockRunsOn = onClockRunsOn;
  }

  of({ id, moduleId, type }: Sensor): RowsOfSensor {
    const known = this.#bySensor.get(id);
    if (known !== undefined) return known;

    const onClockRunsOn = this.#onClockRunsOn;
    const rows = {
      sensor: newImportedSensor(id),
      sequence: new RowSequence(onClockRunsOn && ((row) => onClockRunsOn(row, moduleId))),
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
