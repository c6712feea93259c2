import type { Measure, MeasurementType } from '../../domain/moisture/measurement.ts';

interface MeasurementNames {
  /** Names the type in lists, and a sensor without a label. */
  readonly label: string;
  /** Within a sentence. */
  readonly noun: string;
  /** Words in the names of columns: lower case, no accents, separated by spaces. */
  readonly columns: string;
}

export const englishMeasurements: Readonly<Record<MeasurementType, MeasurementNames>> = {
  humidity: {
    label: 'Moisture',
    noun: 'moisture',
    columns: 'moisture vwc swc sm theta content',
  },
  temperature: {
    label: 'Temperature',
    noun: 'temperature',
    columns: 'temperature temperatures temp',
  },
  tensio: {
    label: 'Tension',
    noun: 'tension',
    columns: 'tension tensio tensiometer potential suction',
  },
};

/** Names of the value axis of a chart. */
export const englishAxes: Readonly<Record<Measure, string>> = {
  humidity: 'Soil moisture, % by volume',
  air_humidity: 'Air humidity, %',
  temperature: 'Temperature, °C',
  tensio: 'Tension, kPa (higher is drier)',
};
