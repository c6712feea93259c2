import { choiceOf, fieldNameOf, isFieldType } from '../../../domain/ingest/field-choices.ts';
import { normalizeDeviceId } from '../../../domain/ingest/payload-values.ts';
import type { MeasurementType } from '../../../domain/moisture/measurement.ts';
import type { Rejection } from '../../../language/ingest/import-report.ts';
import { type ReadingItem, readingItem } from '../../../schema/ingest/ingest-items.ts';
import type { RejectionCode } from '../../../schema/ingest/rejection.ts';
import type { ModuleName } from '../../../store/company/modules.ts';
import type { Sensor } from '../../../store/company/sensors.ts';
import {
  depthOnDevice,
  fromReadingItem,
  isMoistureReading,
  sensorReadingsOfDevices,
} from '../devices/device-readings.ts';
import { measureField } from '../devices/fields/field-measurements.ts';
import { ReadingTimeParser } from '../reading-times.ts';
import { measurementRange, rejectionOfValue } from '../reading-values.ts';
import { RowsBySensor } from '../rows-by-sensor.ts';
import { findSensor, modulesOfItem, modulesWithId } from '../sensor-index.ts';
import type { BatchContext } from './batch-context.ts';
import { ACCEPTED, checkItem, type ItemReasons, ParsedItems, rejected } from './parsed-items.ts';
import { ReadingBuffer } from './reading-buffer.ts';
import { isStation } from './station-source.ts';

const SOIL_ON_STATION: ItemReasons = rejected({
  text: 'soil moisture from a device assigned to a weather station',
});
const FIELD_WITHOUT_DEVICE: ItemReasons = rejected({ text: 'a field without its device' });

/** A reading of which it is known what it measures. */
type Measurement = ReadingItem & { readonly type: MeasurementType };

const isMeasurement = (item: ReadingItem): item is Measurement => !isFieldType(item.type);

/** Parses readings of sensors in the soil and in the air. */
export class ReadingParser {
  readonly list = 'readings';
  readonly parsed = new ParsedItems(new ReadingBuffer());
  /** The devices whose fields are read, or stored until their assignment. */
  readonly sendersOfFields = new Set<string>();
  readonly #context: BatchContext;
  readonly #times: ReadingTimeParser;
  readonly #rowsBySensor: RowsBySensor;

  constructor(context: BatchContext) {
    this.#context = context;
    this.#times = new ReadingTimeParser(context);
    this.#rowsBySensor = new RowsBySensor(context.clocks.onClockRunsOn);
  }

  parse(value: unknown, location: string): ItemReasons {
    const { item, reason } = checkItem(readingItem, value);
    if (reason !== null) return rejected(reason);

    return isMeasurement(item)
      ? this.#parseMeasurement({ item, value, location })
      : this.#parseField({ item, value, location });
  }

  #parseMeasurement(sent: SentReading<Measurement>): ItemReasons {
    const { item } = sent;
    const { index, devices } = this.#context;
    if (item.device === undefined)
      return this.#add(modulesOfItem(index, item.module), item.depth ?? null, sent);

    const device = normalizeDeviceId(item.device);
    const assignment = devices.assignments.get(device);
    this.parsed.senders.add(device);
    if (assignment === undefined) return this.#addUnassigned(device, sent);

    const modules = modulesWithId(index, assignment.moduleId);
    if (isMoistureReading(item) && modules.some(isStation)) return SOIL_ON_STATION;

    return this.#add(modules, depthOnDevice(assignment, item), sent);
  }

  /** A field is a measurement once a person chose which one. */
  #parseField({ item, value, location }: SentReading): ItemReasons {
    if (item.device === undefined) return FIELD_WITHOUT_DEVICE;

    const device = normalizeDeviceId(item.device);
    const assignment = this.#context.devices.assignments.get(device);
    const choice = choiceOf(assignment?.fields ?? [], fieldNameOf(item.type));
    if (choice === undefined || assignment === undefined) {
      // An assigned device of which nothing is read stays among those that give nothing.
      if (assignment === undefined) this.#addSenderOfField(device);
      return this.#addUnassigned(device, { item, value, location });
    }

    this.#addSenderOfField(device);
    const measured = measureField(choice, item.value);
    if (!measured.ok) return rejected(measured.failure);

    const reading = { device, time: item.time, ...measured.value };
    return this.#parseMeasurement({ item: reading, value, location });
  }

  #addSenderOfField(device: string): void {
    this.sendersOfFields.add(device);
    this.parsed.senders.add(device);
  }

  /**
   * Adds the deferred rows of a repeated hour, and what devices sent before they were assigned.
   * `isRecorded`: a change records that these are written.
   */
  end(isRecorded: boolean): void {
    this.#rowsBySensor.storeDeferred();

    const { devices, index } = this.#context;
    for (const { device, moduleId, type, depth, at, value } of sensorReadingsOfDevices(devices)) {
      const module = index.byId.get(moduleId);
      const isMoistureOfStation =
        module !== undefined && isStation(module) && isMoistureReading({ type, depth });
      const sensor = findSensor(index, moduleId, type, depth);
      if (sensor !== undefined && !isMoistureOfStation)
        this.parsed.rows.add(sensor.id, at, value, isRecorded ? null : device);
    }
  }

  /** A reading without a valid value still shows the order of the others of its sensor. */
  #add(
    modules: readonly ModuleName[],
    depth: number | null,
    sent: SentReading<Measurement>,
  ): ItemReasons {
    const { type, time, value } = sent.item;
    const sensor = this.#sensorOf(modules, type, depth);
    const at = this.#times.parse(time);
    const [module] = modules;
    const clockReasons = module && this.#context.clocks.rejectionOf(module.id, this.#times, at);
    if (clockReasons) return clockReasons;

    const valueReason = rejectionOfValue(value, measurementRange(type));
    const hasSensor = typeof sensor !== 'string';

    if (hasSensor && !Number.isNaN(at)) {
      const store = valueReason === null ? this.#storeOf(sensor, sent.item) : null;
      const { sequence } = this.#rowsBySensor.of(sensor);
      if (this.#times.isRepeated)
        sequence.addRepeated({
          earlierAt: at,
          laterAt: this.#times.secondPassAt,
          text: JSON.stringify(sent.value),
          store,
        });
      else sequence.add(at, store);
      if (store !== null) return ACCEPTED;
    }

    const reasons: Rejection[] = hasSensor ? [] : [{ reason: sensor }];
    if (Number.isNaN(at)) reasons.push({ reason: this.#times.rejection });
    if (valueReason !== null) reasons.push({ reason: valueReason });
    return reasons;
  }

  #storeOf({ id }: Sensor, { device, value }: Measurement): (at: number) => void {
    const sender = device === undefined ? null : normalizeDeviceId(device);
    return (at) => this.parsed.rows.add(id, at, value, sender);
  }

  /** The sensor, or the reason why there is none. */
  #sensorOf(
    [module, another]: readonly ModuleName[],
    type: MeasurementType,
    depth: number | null,
  ): Sensor | RejectionCode {
    if (module === undefined) return 'unknown_module';
    if (another !== undefined) return 'several_modules';
    if (depth !== null && !Number.isFinite(depth)) return 'invalid_depth';
    return findSensor(this.#context.index, module.id, type, depth) ?? 'no_such_sensor';
  }

  #addUnassigned(device: string, { item, value, location }: SentReading): ItemReasons {
    const at = this.#times.parse(item.time);
    const clockReasons = this.#context.clocks.rejectionOf(device, this.#times, at);
    if (clockReasons !== null) return clockReasons;
    if (Number.isNaN(at)) return rejected(this.#times.rejection);
    const reason = isMeasurement(item)
      ? rejectionOfValue(item.value, measurementRange(item.type))
      : null;
    if (reason !== null) return rejected(reason);

    const reading = fromReadingItem(device, at, item);
    this.parsed.unassigned.push({ reading, location, item: value });
    return ACCEPTED;
  }
}

interface SentReading<Item = ReadingItem> {
  readonly item: Item;
  /** The item as it was sent. */
  readonly value: unknown;
  readonly location: string;
}
