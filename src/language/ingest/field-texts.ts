import { type ChosenFields, fieldInSentence } from '../../domain/ingest/field-choices.ts';
import {
  MEASUREMENTS,
  type Measure,
  type MeasurementType,
} from '../../domain/moisture/measurement.ts';
import { exact } from '../../domain/text/figures.ts';
import { list, say, verbatim, word } from '../../domain/text/say.ts';
import type { List, Text } from '../../domain/text/text.ts';
import { STATION_MEASURES } from '../../schema/ingest/ingest-items.ts';

/** A field of a message with its last value. */
export interface SentField {
  readonly name: string;
  readonly value: number;
}

export const sentFields = (
  readings: readonly { readonly type: string; readonly value: number }[],
): SentField[] =>
  readings.flatMap(({ type, value }) => {
    const name = fieldInSentence(type);
    return name === null ? [] : [{ name, value }];
  });

const STATION_TYPES: ReadonlySet<string> = new Set(['rain', ...STATION_MEASURES]);

const isOfStation = (readings: readonly { readonly type: string }[]): boolean =>
  readings.some(({ type }) => STATION_TYPES.has(type));

/** The humidity that a weather station measures is that of the air. */
export const withAirHumidity = <R extends { readonly type: string; readonly depth: number | null }>(
  readings: readonly R[],
): readonly R[] =>
  isOfStation(readings)
    ? readings.map((reading) =>
        reading.type === 'humidity' && reading.depth === null
          ? { ...reading, type: 'air_humidity' satisfies Measure }
          : reading,
      )
    : readings;

/** False for a weather station, and for a device that names the depths of all its readings. */
export const needsDepths = (
  readings: readonly { readonly type: string; readonly depth: number | null }[],
): boolean =>
  readings.length === 0 || (readings.some(({ depth }) => depth === null) && !isOfStation(readings));

const MAX_NAMED_FIELDS = 12;

export function listSentFields(fields: readonly SentField[]): List {
  const named = fields
    .slice(0, MAX_NAMED_FIELDS)
    .map(({ name, value }) => say`${verbatim(name)} ${value}`);
  const others = fields.length - named.length;
  return list(others > 0 ? [...named, say`${others} others`] : named);
}

/** "soil_moist = moisture 20 cm %", as it was chosen. */
export const chosenFieldTexts = ({ fields, depths }: ChosenFields): string[] =>
  fields.map(({ name, type, position, unit, factor }) => {
    const depth = position === null ? 'without depth' : `${depths[position]} cm`;
    const scale = factor === 1 ? '' : ` * ${factor}`;
    return `${name} = ${MEASUREMENTS[type].word} ${depth}${unit === null ? '' : ` ${unit}`}${scale}`;
  });

/** "temperature at 30 cm" */
export const measurementAt = (type: MeasurementType, depth: number | null): Text =>
  say`${word(MEASUREMENTS[type].word)} ${depth === null ? say`without depth` : say`at ${exact(depth, 'cm')}`}`;
