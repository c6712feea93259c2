import { z } from 'zod/v3';
import { MEASUREMENT_TYPES } from '../../domain/moisture/measurement.ts';

/** One pattern, or several that are found one after another: ".*" between them could backtrack. */
const patterns = () =>
  z
    .union([z.string().transform((source) => [source]), z.array(z.string()).min(1)])
    .transform((sources) => sources.map((source) => new RegExp(source, 'gi')));

/** Codes of a failed measurement. */
const missing = () => z.array(z.union([z.number(), z.string()]));

const column = z.strictObject({
  /**
   * Matches the column name. The group `depth` is the depth, in cm without a unit; `input` is the input that the
   * sensor is plugged into.
   */
  name: patterns(),
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
  header: patterns(),
  headerLines: z.number().int().positive().default(1),
  columns: z.array(column),
  /** True if the people who set the logger up choose the names: others are read by their words. */
  readsOtherNames: z.boolean().default(false),
  /** The codes in the columns that are read by their words or by a map. */
  missing: missing().default([]),
});
export type CsvProfile = z.output<typeof csvProfile>;
export type ProfileColumn = z.output<typeof column>;
