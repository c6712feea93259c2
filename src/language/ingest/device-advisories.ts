import { exact, precise } from '../../domain/text/figures.ts';
import {
  call,
  commaSeparated,
  counted,
  join,
  name,
  noun,
  say,
  sentences,
  verbatim,
  word,
} from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { period, timeOf } from '../../domain/text/times.ts';
import type { AdvisoryOf, AdvisorySentences } from '../advisory-sentences.ts';
import { describeDeviceReading, describeTemperature } from './device-readings.ts';
import { outcomeOfMessage } from './unread-reasons.ts';

/** Says what happened to devices, and to what they sent. */
export const deviceSentences = {
  device_assigned: ({ device, depths, earlierReadings }) => {
    const earlier =
      earlierReadings === 0 ? null : say`; ${describeEarlierReadings(earlierReadings)} stored`;
    return say`Its readings come from the device ${name(device)}${describeDepths(depths)}${earlier}.`;
  },
  device_readings_left_out: ({ count, withoutSensor }) =>
    sentences([
      count === 0
        ? null
        : say`${counted(count, 'earlier reading does', 'earlier readings do')} not count here: the device was assigned before, or measured elsewhere then.`,
      withoutSensor.length === 0
        ? null
        : say`It also sends what no sensor there measures, which is not stored: ${commaSeparated(withoutSensor.map(verbatim))}.`,
    ]),
  device_readings_taken_back: describeReadingsTakenBack,
  device_readings_stay: ({ module, from, to }) =>
    say`What was stored for ${name(module)} since the assignment stays (${period(from, to)}), because others may have sent it too: to replace it, import the right readings of that time.`,
  device_status: ({ device, lastSeenAt, batteryPercent, batteryV, rssi, snr }) => {
    const ratio = snr === null ? null : say` (SNR ${exact(snr)} dB)`;
    const signal = rssi === null ? null : say`signal ${exact(rssi, 'dBm')}${ratio}`;
    const sent = say`Device ${name(device)} last sent ${timeOf(lastSeenAt)}`;
    return say`${commaSeparated([sent, describeBattery(batteryPercent, batteryV), signal])}.`;
  },
  unassigned_devices: ({ devices, others }) => {
    const named = devices.map(({ device, newest }) =>
      commaSeparated([
        name(device),
        ...newest.map(({ type, value }) => describeDeviceReading(type, value)),
      ]),
    );
    const count = devices.length + others;
    const subject = noun(
      count,
      'A device that is not assigned sends',
      'Devices that are not assigned send',
    );
    const more = others === 0 ? null : say`and ${others} more`;
    return say`${subject}: ${join([...named, more], say`; `)}. Assign ${noun(count, 'it', 'each')} to a probe.${call('assign_device', 'device', 'module', 'depths or fields')}`;
  },
  unread_messages: ({ sender, reason, isReadInPart, others }) => {
    const unread =
      others === 0
        ? say`A message of ${name(sender)} ${word(outcomeOfMessage(isReadInPart))}`
        : say`Messages of ${others + 1} senders were not read, or not in full, such as one of ${name(sender)}`;
    return say`${unread}: ${verbatim(reason)}.${call('list_devices')}`;
  },
  messages_read_in_part: ({ positions }) =>
    say`${counted(positions.length, 'message that is listed was', 'messages that are listed were')} read in part.`,
  doubtful_temperatures: ({ sensors, others }) => {
    const named = sensors.map(({ probe, ...reading }) => describeTemperature(name(probe), reading));
    const more = others === 0 ? null : say` and ${others} more`;
    return say`Doubtful temperatures, warmer than any soil: ${commaSeparated(named)}${more}. Check whether the sensor sends °F, or is broken.`;
  },
  last_reading: ({ at }) =>
    at === null ? say`It never sent a reading.` : say`Its newest reading is from ${timeOf(at)}.`,
} satisfies Partial<AdvisorySentences>;

/** ", at 10 and 30 cm" */
export const describeDepths = (depths: readonly number[]): Text | null =>
  depths.length === 0 ? null : say`, at ${exact(depths, 'cm')}`;

/** "2 readings that it had already sent were" */
export const describeEarlierReadings = (count: number): Text =>
  counted(count, 'reading that it had already sent was', 'readings that it had already sent were');

function describeBattery(percent: number | null, volts: number | null): Text | null {
  if (percent !== null) return say`battery ${exact(percent, '%')}`;
  return volts === null ? null : say`battery ${precise(volts, 'V')}`;
}

function describeReadingsTakenBack({
  device,
  module,
  from,
  to,
  count,
  waitingCount,
  isAssigned,
}: AdvisoryOf<'device_readings_taken_back'>): Text {
  const areMore = count > waitingCount;
  const subject = areMore ? say`The newest ${waitingCount} of them` : noun(count, 'It', 'They');
  const verb = isAssigned ? noun(count, 'counts', 'count') : noun(count, 'waits', 'wait');
  const place = isAssigned
    ? say`where it measured before, with its next message`
    : say`until it is assigned`;
  return say`The readings that ${name(device)} sent to ${name(module)} since the assignment are taken back: ${counted(count, 'reading')} (${period(from, to)}). ${subject} ${verb} ${place}.`;
}
