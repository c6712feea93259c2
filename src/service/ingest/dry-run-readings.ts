import type { ImportedSensor } from './collected-readings.ts';
import { type FirstReading, FirstReadings } from './first-readings.ts';
import type { SensorIndex } from './sensor-index.ts';

/** In place of the writer of an import: counts what it would write, and stores nothing. */
export class DryRunReadings {
  readonly isFull = false;
  readonly isWriting = false;
  readonly repeatCount = 0;
  readonly #first: FirstReadings;
  readonly #sensors = new Set<ImportedSensor>();
  #count = 0;
  #from: number | null = null;
  #to: number | null = null;

  constructor(index: SensorIndex) {
    this.#first = new FirstReadings(index);
  }

  get firstReadings(): readonly FirstReading[] {
    return this.#first.readings;
  }

  get writtenCount(): number {
    return this.#count;
  }

  get sensorCount(): number {
    return this.#sensors.size;
  }

  get period(): { readonly from: number | null; readonly to: number | null } {
    return { from: this.#from, to: this.#to };
  }

  add(sensor: ImportedSensor, at: number, value: number, line: number): void {
    this.#count++;
    this.#sensors.add(sensor);
    if (this.#from === null || at < this.#from) this.#from = at;
    if (this.#to === null || at > this.#to) this.#to = at;
    this.#first.add(sensor.id, at, value, line);
  }

  async write(): Promise<void> {}

  async settle(): Promise<void> {}
}
