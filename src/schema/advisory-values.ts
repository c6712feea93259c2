import { z } from 'zod/v3';
import { ISO_DATE } from '../domain/calendar.ts';

// The values of which advisories consist.

const LATEST_MS = Date.UTC(2201, 0, 1);

/** Since 1970 UTC. */
export const instantMs = z.number().int().min(0).max(LATEST_MS);
export const count = z.number().int().min(0);
export const id = z.number().int();
export const decimal = z.string().regex(/^-?\d+([.]\d+)?$/);
export const clockText = z.string().regex(/^\d\d:\d\d(:\d\d)?$/);
export const clockTexts = z.array(clockText).readonly();
export const quoted = z.string().regex(/^"[^"]*"$/);
export const names = z.array(z.string()).readonly();

export const isoDay = z.string().regex(ISO_DATE);

/** Before and after; null where it did not change. */
export const changed = <Value extends z.ZodTypeAny>(value: Value) =>
  z.object({ from: value, to: value }).nullable();

export const fact = <Kind extends string, Fields extends z.ZodRawShape>(
  kind: Kind,
  fields: Fields,
) => z.object({ kind: z.literal(kind), ...fields });
