import { z } from 'zod/v3';
import { MEASUREMENT_TYPES } from '../../domain/moisture/series.ts';

const pattern = () => z.string().transform((source) => new RegExp(source, 'i'));

const column = z.strictObject({
  /** Of the column: the group `depth` is its depth in cm, `input` names what it was plugged into. */
  name: pattern(),
  /** Left out: it measures something that is not stored. */
  type: z.enum(MEASUREMENT_TYPES).optional(),
  /** Where the column does not name it. */
  unit: z.string().optional(),
  scale: z.number().optional(),
  /** Codes of a failed measurement. */
  missing: z.array(z.union([z.number(), z.string()])).optional(),
  /** The largest value that the sensor measures, in the unit in which it is stored. */
  max: z.number().optional(),
});

export const csvProfile = z.strictObject({
  /** Of the first line of the header. */
  header: pattern(),
  headerLines: z.number().int().positive().default(1),
  columns: z.array(column),
});
export type CsvProfile = z.output<typeof csvProfile>;
export type ProfileColumn = z.output<typeof column>;
