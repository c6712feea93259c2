import { z } from 'zod/v3';
import { MEASUREMENT_TYPES } from '../../domain/moisture/measurement.ts';

const pattern = () => z.string().transform((source) => new RegExp(source, 'i'));

const column = z.strictObject({
  /**
   * Matches the column name. The group `depth` is the depth in cm; `input` is the input that the
   * sensor is plugged into.
   */
  name: pattern(),
  /** Absent if the column measures something that is not stored. */
  type: z.enum(MEASUREMENT_TYPES).optional(),
  /** Used if the column does not name its unit. */
  unit: z.string().optional(),
  scale: z.number().optional(),
  /** Codes of a failed measurement. */
  missing: z.array(z.union([z.number(), z.string()])).optional(),
  /** The largest value that the sensor measures, in the unit in which it is stored. */
  max: z.number().optional(),
});

export const csvProfile = z.strictObject({
  /** Matches the first line of the header. */
  header: pattern(),
  headerLines: z.number().int().positive().default(1),
  columns: z.array(column),
});
export type CsvProfile = z.output<typeof csvProfile>;
export type ProfileColumn = z.output<typeof column>;
