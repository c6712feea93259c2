import type { Measure, MeasurementType } from '../../domain/moisture/measurement.ts';
import { say } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';

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

interface MeasurementTexts {
  /** Its curve in a chart; the name of the probe follows. */
  readonly curve: Text;
  /** Begins the reason why a value is rejected; its range follows. */
  readonly outOfRange: Text;
}

/** A function, as all below, so that the page has none of these texts, which it does not say. */
export const englishMeasurementTexts = (): Readonly<Record<MeasurementType, MeasurementTexts>> => ({
  humidity: { curve: say`the moisture curve`, outOfRange: say`value is not moisture` },
  temperature: { curve: say`the temperature curve`, outOfRange: say`value is not a temperature` },
  tensio: { curve: say`the tension curve`, outOfRange: say`value is not a tension` },
});

/** Within a sentence that only a model reads. */
export const englishMeasures = (): Readonly<Record<Measure, Text>> => ({
  humidity: say`moisture`,
  air_humidity: say`air humidity`,
  temperature: say`temperature`,
  tensio: say`tension`,
});
