import type { z } from 'zod/v3';
import { isRecord } from '../../../domain/records.ts';
import type { Rejection } from '../../../language/ingest/import-report.ts';
import { OversizedRow } from '../../../schema/ingest/ingest-batch.ts';
import type { RejectionReason } from '../../../schema/ingest/rejection.ts';
import type { UnassignedReading } from '../../../store/ingest/unassigned-readings.ts';
import { ItemRejections } from './item-rejections.ts';

/** A reading of a device that is not assigned to a module. */
export interface UnassignedItem {
  readonly reading: UnassignedReading;
  /** Where it is in the batch: "readings[3]". */
  readonly location: string;
  readonly item: unknown;
}

export interface DeviceRejection {
  readonly item: unknown;
  readonly reasons: ItemReasons;
}

/** The result of parsing the items of one kind. */
export class ParsedItems<Rows> {
  /** Written to the modules and gateways that the items name. */
  readonly rows: Rows;
  /** Stored until their devices are assigned. */
  readonly unassigned: UnassignedItem[] = [];
  /** The devices that sent readings, of which some may be rejected, or other items that are valid. */
  readonly senders = new Set<string>();
  readonly rejections = new ItemRejections();
  /** The devices of which at least one item was accepted. */
  readonly accepted = new Set<string>();
  /** The last rejected item of each device. */
  readonly rejectedByDevice = new Map<string, DeviceRejection>();

  constructor(rows: Rows) {
    this.rows = rows;
  }
}

/** Why an item is rejected; empty for a valid one. */
export type ItemReasons = readonly Rejection[];

export const ACCEPTED: ItemReasons = [];

export const rejected = (reason: RejectionReason): ItemReasons => [{ reason }];

/** The item, or else the reason why it is invalid. */
type CheckedItem<T> =
  | { readonly item: T; readonly reason: null }
  | { readonly item: null; readonly reason: RejectionReason };

/**
 * A reason names the invalid field, never its value, so that reasons can be counted. Fields are
 * parsed one by one up to the first invalid one: parsing the whole item takes fifty times as long
 * for an invalid item, because zod describes each fault.
 */
export function checkItem<S extends z.AnyZodObject>(
  schema: S,
  value: unknown,
): CheckedItem<z.output<S>> {
  if (value instanceof OversizedRow) return { item: null, reason: 'row_too_long' };
  if (!isRecord(value)) return invalid('not an object');

  const shape: z.ZodRawShape = schema.shape;
  for (const name in value) if (!Object.hasOwn(shape, name)) return invalid('unknown field');

  const item: Record<string, unknown> = {};
  for (const name in shape) {
    const field = shape[name]!;
    const fieldValue = value[name];
    const parsed = field.safeParse(fieldValue);
    if (!parsed.success)
      return invalid(
        fieldValue === undefined ? `no ${name}` : `${name} is not ${describeField(field)}`,
      );

    if (parsed.data !== undefined) item[name] = parsed.data;
  }

  return { item, reason: null };
}

const invalid = (text: string) => ({ item: null, reason: { text } }) as const;

const describeField = (field: z.ZodTypeAny): string =>
  field.description ?? (field as z.ZodOptional<z.ZodTypeAny>).unwrap?.().description ?? 'valid';
