// An undo of the assignment of a device deletes what the device wrote since. No reading names its
// writer, so each sensor has a period in which the device alone has written to it.

/**
 * The readings that one writer wrote to a sensor in a batch: a device, or null for anything else.
 */
export interface WrittenPeriod {
  readonly sensorId: number;
  readonly device: string | null;
  /** The instants of the first and the last of these readings. */
  readonly from: number;
  readonly to: number;
}

/** In which a device writes to a sensor, by the instants of its readings. */
export interface DevicePeriod {
  readonly id: number;
  readonly device: string;
  readonly sensorId: number;
  /** All readings from here on are of the device. */
  readonly fromAt: number;
  /** No later than the oldest reading that the device wrote at or after `fromAt`. */
  readonly firstAt: number;
  /** The last one; null as long as the device is assigned. */
  readonly untilAt: number | null;
  /** The oldest reading that it wrote among those of others, before `fromAt`; null without one. */
  readonly earlyAt: number | null;
  /** Others wrote within the period, so it is not known which readings are of the device. */
  readonly isShared: boolean;
}

export type NewDevicePeriod = Omit<DevicePeriod, 'id' | 'untilAt'>;

export interface StartedPeriod extends WrittenPeriod {
  readonly device: string;
  /** Others write to the sensor in the same batch. */
  readonly isShared: boolean;
}

export interface PeriodChanges {
  readonly started: readonly StartedPeriod[];
  readonly changed: readonly DevicePeriod[];
}

/**
 * The periods that a batch changes: none where each device goes on writing to its sensors alone.
 */
export function periodChanges(
  periodsBySensor: ReadonlyMap<number, readonly DevicePeriod[]>,
  written: readonly WrittenPeriod[],
): PeriodChanges {
  const changed = new Map<number, DevicePeriod>();
  const started: StartedPeriod[] = [];

  for (const batch of written) {
    const periods = periodsBySensor.get(batch.sensorId) ?? [];
    for (const stored of periods) {
      const period = changed.get(stored.id) ?? stored;
      const next = isOwn(period, batch) ? afterDevice(period, batch) : afterOthers(period, batch);
      if (next !== period) changed.set(stored.id, next);
    }

    const { device, sensorId } = batch;
    if (device === null || periods.some((period) => isOwn(period, batch))) continue;
    const isShared = written.some((other) => other.sensorId === sensorId && other !== batch);
    started.push({ ...batch, device, isShared });
  }

  return { started, changed: [...changed.values()] };
}

const isOwn = ({ device, untilAt }: DevicePeriod, batch: WrittenPeriod): boolean =>
  untilAt === null && device === batch.device;

function afterDevice(period: DevicePeriod, { from, to }: WrittenPeriod): DevicePeriod {
  const { fromAt, firstAt, earlyAt } = period;
  const isEarly = from < fromAt && from < (earlyAt ?? fromAt);
  const isFirst = to >= fromAt && from < firstAt && firstAt > fromAt;
  if (!isEarly && !isFirst) return period;
  return {
    ...period,
    earlyAt: isEarly ? from : earlyAt,
    firstAt: isFirst ? Math.max(from, fromAt) : firstAt,
  };
}

/** The period after the readings of others, or of the device itself once it was assigned anew. */
export function afterOthers(
  period: DevicePeriod,
  { from, to }: Pick<WrittenPeriod, 'from' | 'to'>,
): DevicePeriod {
  const { fromAt, firstAt, untilAt, isShared } = period;
  if (isShared || to < fromAt || from > (untilAt ?? from)) return period;
  return to < firstAt ? { ...period, fromAt: to + 1 } : { ...period, isShared: true };
}

/** `newestAt` is the newest reading of the sensor before; null without one. */
export function startPeriod(
  { device, sensorId, from, isShared }: StartedPeriod,
  newestAt: number | null,
): NewDevicePeriod {
  const fromAt = newestAt === null ? 0 : newestAt + 1;
  return {
    device,
    sensorId,
    fromAt,
    firstAt: Math.max(from, fromAt),
    earlyAt: from < fromAt ? from : null,
    isShared,
  };
}
