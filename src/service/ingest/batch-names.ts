import { normalizeDeviceId } from '../../domain/ingest/payload-values.ts';
import { MAX_DEVICE_NAME } from '../../schema/ingest/device.ts';

/** The rows of a batch by kind; they are read twice. */
export interface BatchRows {
  readonly readings?: Iterable<unknown> | undefined;
  readonly rain?: Iterable<unknown> | undefined;
  readonly weather?: Iterable<unknown> | undefined;
  readonly gateways?: Iterable<unknown> | undefined;
  readonly devices?: Iterable<unknown> | undefined;
}

/** What the rows of a batch name, in rows that may turn out to be invalid. */
export interface BatchNames {
  /** Uids and names of modules; `#12` is the module with that id. */
  readonly modules: ReadonlySet<string>;
  readonly devices: ReadonlySet<string>;
  readonly imeis: ReadonlySet<string>;
}

/** To look for the names, a batch is parsed twice, which would take a large one too long. */
const MAX_ROWS = 1_000;

/**
 * Null if the batch has so many rows that reading all modules of the company is little beside it.
 */
export function namesInBatch(batch: BatchRows): BatchNames | null {
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
    if (typeof device === 'string' && device.length <= MAX_DEVICE_NAME)
      names.devices.add(normalizeDeviceId(device));
    if (typeof imei === 'string') names.imeis.add(imei);
  }

  return names;
}

function* allRows({ readings, rain, weather, gateways, devices }: BatchRows): Generator<unknown> {
  for (const rows of [readings, rain, weather, gateways, devices]) yield* rows ?? [];
}
