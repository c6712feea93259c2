import type { MeasurementType } from '../moisture/measurement.ts';

const PREFIX = 'field:';

/** The type of a reading whose measurement a person has yet to choose: "field:soil_moist". */
export type FieldType = `field:${string}`;

export const fieldType = (name: string): FieldType => `${PREFIX}${name}`;

/** The name of the field; null for another type of reading. */
export const fieldNameOf = (type: string): string | null =>
  type.startsWith(PREFIX) ? type.slice(PREFIX.length) : null;

/** The same of a type that is quoted because it is for a sentence. */
export const fieldInSentence = (type: string): string | null =>
  fieldNameOf(/^"(.*)"$/s.exec(type)?.[1] ?? type);

export const isFieldType = (type: string): type is FieldType => fieldNameOf(type) !== null;

/** The quantity that a field of a device measures, as a person chose it. */
export interface FieldChoice {
  readonly name: string;
  readonly type: MeasurementType;
  /** The index in the depths of the device; null for a sensor without a depth. */
  readonly position: number | null;
  /** As the person wrote it; null for the unit in which readings are stored. */
  readonly unit: string | null;
  /** Multiplies the number, which then has that unit. */
  readonly factor: number;
}

export const choiceOf = (
  choices: readonly FieldChoice[],
  name: string | null,
): FieldChoice | undefined =>
  name === null ? undefined : choices.find((choice) => choice.name === name);

/** The choices of a device or model, with the depths in cm that their positions count. */
export interface ChosenFields {
  readonly fields: readonly FieldChoice[];
  readonly depths: readonly number[];
}

export const NO_FIELDS: ChosenFields = { fields: [], depths: [] };
