import { normalizeDeviceId } from '../../domain/ingest/payload-values.ts';
import { MAX_DEVICE_NAME } from '../../schema/device.ts';
import type { IngestBatch } from './batch-ingest.ts';

/** What the rows of a batch name, in rows that may turn out to be invalid. */
export interface BatchNames {
  /** Uids and names of modules; `#12` is the module with that id. */
  readonly modules: ReadonlySet<string>;
  readonly devices: ReadonlySet<string>;
  readonly imeis: ReadonlySet<string>;
}

/** To look for the names, a batch is parsed twice, which would take a large one too long. */
const MAX_ROWS = 1_000;

/** Null if the batch has so many rows that reading all modules of the company is little beside it. */
export function namesInBatch(batch: IngestBatch): BatchNames | null {
  const names = {
    modules: new Set<string>(),
    devices: new Set<string>(),
    imeis: new Set<string>(),
  };
  let rows = 0;
  for (const row of allRows(batch)) {
    if (++rows > MAX_ROWS) return null;
    const { module, device, imei } = Object(row);
    if (typeof module === 'number') names.modules.add(`#${module}`);
    if (typeof module === 'string') names.modules.add(module);
    if (typeof device === 'string' && device.length <= MAX_DEVICE_NAME) names.devices.add(normalizeDeviceId(device));
    if (typeof imei === 'string') names.imeis.add(imei);
  }
  return names;
}

function* allRows({ readings, rain, weather, gateways, devices }: IngestBatch): Generator<unknown> {
  for (const rows of [readings, rain, weather, gateways, devices]) yield* rows ?? [];
}
