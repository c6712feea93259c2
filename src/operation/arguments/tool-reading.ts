import type { z } from 'zod/v3';
import type { Advisory } from '../../schema/advisory.ts';
import type { FieldMetadata } from '../../schema/field.ts';
import type { ArgumentContext } from '../operation.ts';
import type { FieldsByName, OperationField } from '../operation-fields.ts';

export interface ToolField extends OperationField {
  /** Reads a value in the words of a person. Throws if it cannot be read. */
  read(value: unknown, reading: ToolReading): unknown;
}

/** The fields of one call while their words are read. */
export interface ToolReading {
  readonly context: Pick<ArgumentContext, 'zone' | 'now' | 'countryCode' | 'units'>;
  readonly fields: FieldsByName<ToolField>;
  /**
   * By the name of the field, with the defaults of the tool, and null for what `clear` names. JSON
   * texts are decoded already.
   */
  readonly unread: Readonly<Record<string, unknown>>;
  /** The values that were read already. A start is read before its end. */
  readonly values: Record<string, unknown>;
  /** Times of the stored row, on whose day a time of day alone is; null until one needs them. */
  stored: Readonly<Record<string, unknown>> | null;
  readonly names: NameArgument[];
  readonly hours: HourOfDate[];
  readonly advisories: Advisory[];
}

/** A name that is to be looked up, once all fields are read and checked. */
export interface NameArgument {
  readonly field: ToolField;
  readonly text: string;
  /** True for the name of what the call changes or adds, false for a reference. */
  readonly isEntry: boolean;
}

/** An hour that was sent with a date, such as "tomorrow at 6". */
export interface HourOfDate {
  readonly dateField: OperationField;
  /** As HH:MM. */
  readonly clock: string;
  /** The name of the field with the times of day to which it belongs. */
  readonly clockField: string;
}

/** A value of a field, or one inside it. */
export interface ValuePlace {
  readonly field: ToolField;
  /** Within the field: indices in lists, names in objects. */
  readonly path: readonly (string | number)[];
  readonly schema: z.ZodTypeAny;
  readonly metadata: FieldMetadata;
  readonly reading: ToolReading;
}

export const newReading = (
  fields: FieldsByName<ToolField>,
  unread: Readonly<Record<string, unknown>>,
  context: ToolReading['context'],
): ToolReading => ({
  context,
  fields,
  unread,
  values: {},
  stored: null,
  names: [],
  hours: [],
  advisories: [],
});
