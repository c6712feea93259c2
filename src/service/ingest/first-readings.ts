import { entryOf } from '../../domain/items.ts';
import type { MeasurementType } from '../../domain/moisture/measurement.ts';
import { moduleDisplayName } from '../../language/default-names.ts';
import { sensorColumnName } from './csv/column-names.ts';
import type { SensorIndex } from './sensor-index.ts';

const MAX_SHOWN_ROWS = 3;
const MAX_SHOWN_READINGS = 12;

export interface FirstReading {
  readonly line: number;
  readonly module: string;
  /** Such as humidity_10. */
  readonly sensor: string;
  readonly type: MeasurementType;
  readonly at: number;
  readonly value: number;
}

/** The readings of the first rows of a file, for the person to check. */
export class FirstReadings {
  readonly #index: SensorIndex;
  readonly #lines = new Set<number>();
  readonly #readings: FirstReading[] = [];

  constructor(index: SensorIndex) {
    this.#index = index;
  }

  get readings(): readonly FirstReading[] {
    return this.#readings;
  }

  add(sensorId: number, at: number, value: number, line: number): void {
    const isFull = this.#readings.length >= MAX_SHOWN_READINGS;
    if (isFull || (this.#lines.size >= MAX_SHOWN_ROWS && !this.#lines.has(line))) return;

    this.#lines.add(line);
    const sensor = entryOf(this.#index.sensorById, sensorId);
    const module = entryOf(this.#index.byId, sensor.moduleId);
    this.#readings.push({
      line,
      module: moduleDisplayName(module, 'en') ?? module.uid,
      sensor: sensorColumnName(sensor),
      type: sensor.type,
      at,
      value,
    });
  }
}
