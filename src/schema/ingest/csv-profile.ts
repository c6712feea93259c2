import { z } from 'zod/v3';
import { MEASUREMENT_TYPES } from '../../domain/moisture/measurement.ts';

const pattern = () => z.string().transform((source) => new RegExp(source, 'i'));

/** Codes of a failed measurement. */
const missing = () => z.array(z.union([z.number(), z.string()]));

const column = z.strictObject({
  /**
   * Matches the column name. The group `depth` is the depth, in cm without a unit; `input` is the input that the
   * sensor is plugged into.
   */
  name: pattern(),
  /** Absent if the column measures something that is not stored. */
  type: z.enum(MEASUREMENT_TYPES).optional(),
  /** Used if the column does not name its unit. */
  unit: z.string().optional(),
  scale: z.number().optional(),
  missing: missing().optional(),
  /** The largest value that the sensor measures, in the unit in which it is stored. */
  max: z.number().optional(),
});

export const csvProfile = z.strictObject({
  /** Matches the first line of the header. */
  header: pattern(),
  headerLines: z.number().int().positive().default(1),
  columns: z.array(column),
  /** True if the people who set the logger up choose the names: others are read by their words. */
  readsOtherNames: z.boolean().default(false),
  /** Of the columns that are read by their words or by a map. */
  missing: missing().default([]),
});
export type CsvProfile = z.output<typeof csvProfile>;
export type ProfileColumn = z.output<typeof column>;
