import { fieldInSentence } from '../../domain/ingest/field-choices.ts';
import { CURVES, MEASUREMENT_TYPES } from '../../domain/moisture/measurement.ts';
import { quote } from '../../domain/text.ts';
import { englishCount, englishFormat } from '../en/grammar.ts';
import { englishMeasurements } from '../en/measurements.ts';
import { nextCall } from '../next-calls.ts';

const UNITS_BESIDE_SENSORS: Readonly<Record<string, string>> = {
  'air humidity': '%',
  rain: 'mm',
  wind: 'm/s',
  radiation: 'W/m2',
};

/** "moisture 21.5 %", "rain 2 mm"; a field or a kind that is not known without its unit. */
function describeReading(kind: string, value: string): string {
  const type = MEASUREMENT_TYPES.find((code) => code === kind);
  if (type !== undefined)
    return `${englishMeasurements[type].noun} ${value} ${CURVES[type].symbol}`;

  const field = fieldInSentence(kind);
  const name = field === null ? kind.replaceAll('_', ' ') : quote(field);
  const unit = UNITS_BESIDE_SENSORS[name];
  return unit === undefined ? `${name} ${value}` : `${name} ${value} ${unit}`;
}

const VALUE_REFUSED = 'a value was refused';

/** Ends "A message of it …". */
const outcomeOfMessage = (reason: string): string =>
  reason.startsWith(VALUE_REFUSED) ? 'was not read in full' : 'gave nothing';

export const devicePhrases = {
  lastReading: (at: string | null) =>
    at === null ? 'It never sent a reading.' : `Its newest reading is from ${at}.`,
  reading: describeReading,
  assigned: (device: string, depths: string | null, earlierReadings: number) =>
    `Its readings come from the device ${device}${depths === null ? '' : `, at ${depths} cm`}${earlierReadings === 0 ? '' : `; ${englishCount(earlierReadings, 'reading that it had already sent was', 'readings that it had already sent were')} stored`}.`,
  assignedTo: (module: string, device: string, depths: string | null, earlierReadings: number) =>
    `The readings of ${module} come from ${device} now${depths === null ? '' : `, at ${depths} cm`}. ${earlierReadings === 0 ? 'Nothing that it sent was waiting' : `${englishCount(earlierReadings, 'reading that it had already sent was', 'readings that it had already sent were')} stored`}.`,
  leftOut: ({ count, withoutSensor }: { count: number; withoutSensor: readonly string[] }) => {
    const sentences: string[] = [];
    if (count > 0)
      sentences.push(
        `${englishCount(count, 'earlier reading does', 'earlier readings do')} not count here: the device was assigned before, or measured elsewhere then.`,
      );
    if (withoutSensor.length > 0)
      sentences.push(
        `It also sends what no sensor there measures, which is not stored: ${withoutSensor.join(', ')}.`,
      );
    return sentences.join(' ');
  },
  readingsTakenBack: (
    device: string,
    module: string,
    period: string,
    taken: { readonly count: number; readonly waitingCount: number; readonly isAssigned: boolean },
  ) => {
    const { count, waitingCount, isAssigned } = taken;
    const pronoun = count === 1 ? 'It' : 'They';
    const subject =
      count > waitingCount ? `The newest ${englishFormat.number(waitingCount)} of them` : pronoun;
    const isPlural = subject !== 'It';
    const place = isAssigned
      ? `${isPlural ? 'count' : 'counts'} where it measured before, with its next message`
      : `${isPlural ? 'wait' : 'waits'} until it is assigned`;
    return `The readings that ${device} sent to ${module} since the assignment are taken back: ${englishCount(count, 'reading')} (${period}). ${subject} ${place}.`;
  },
  readingsStay: (module: string, period: string) =>
    `What was stored for ${module} since the assignment stays (${period}), because others may have sent it too: to replace it, import the right readings of that time.`,
  fields: (fields: string) => `Its fields: ${fields}.`,
  battery: (level: string) => `battery ${level}`,
  signal: (dBm: string, snr: string | null) =>
    `signal ${dBm} dBm${snr === null ? '' : ` (SNR ${snr} dB)`}`,
  status: (device: string, at: string, parts: readonly string[]) =>
    `Device ${[`${device} last sent ${at}`, ...parts].join(', ')}.`,
  temperatureAt: (probe: string, depthCm: string | null, celsius: string) =>
    `${celsius} °C ${depthCm === null ? 'in the air' : `at ${depthCm} cm`} of ${probe}`,
  doubtfulTemperatures: (sensors: readonly string[], others: number) =>
    `Doubtful temperatures, warmer than any soil: ${sensors.join(', ')}${others === 0 ? '' : ` and ${others} more`}. Check whether the sensor sends °F, or is broken.`,
  /** Of a message of which other values may have been stored. */
  valueRefused: (reason: string) => `${VALUE_REFUSED}: ${reason}`,
  outcomeOfMessage,
  unread: (sender: string, reason: string, others: number) =>
    others === 0
      ? `A message of ${sender} ${outcomeOfMessage(reason)}: ${reason}.${nextCall('list_devices')}`
      : `Messages of ${others + 1} senders were not read, or not in full, such as one of ${sender}: ${reason}.${nextCall('list_devices')}`,
  unassigned: (devices: readonly string[], others: number) =>
    `${devices.length + others === 1 ? 'A device that is not assigned sends' : 'Devices that are not assigned send'}: ${devices.join('; ')}${others === 0 ? '' : `; and ${others} more`}. Assign ${devices.length + others === 1 ? 'it' : 'each'} to a probe.${nextCall('assign_device', 'device', 'module', 'depths or fields')}`,
};
