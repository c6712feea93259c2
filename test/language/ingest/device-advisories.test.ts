import { describe, expect, it } from 'vitest';
import type { Advisory } from '../../../src/schema/advisory.ts';
import { FARM_NOW, HOUR } from '../../farm.ts';
import { adviceOf } from '../context.ts';
import { renderAnswer, renderText } from '../render-text.ts';

const EUI = 'A84041FFFF181F0D';

describe('what is said of devices beside other answers', () => {
  const back = {
    kind: 'device_readings_taken_back',
    device: EUI,
    module: 'Oak',
    isAssigned: false,
    count: 5,
    waitingCount: 5,
    from: FARM_NOW - HOUR,
    to: FARM_NOW,
  } as const;
  const TAKEN_BACK = `The readings that ${EUI} sent to Oak since the assignment are taken back`;
  const status = {
    kind: 'device_status',
    device: EUI,
    lastSeenAt: FARM_NOW - HOUR,
    batteryPercent: null,
    batteryV: null,
    rssi: null,
    snr: null,
  } as const;
  const newest = [
    ['humidity', 24],
    ['air_humidity', 60],
    ['temperature', 18.5],
    ['tensio', 30],
    ['rain', 2],
    ['wind', 3],
    ['radiation', 250],
    ['leaf_wetness', 1],
    ['field:soil 1', 7],
  ].map(([type, value]) => ({ type, value }) as { type: string; value: number });
  const warm = { probe: 'Oak', depth: 30, celsius: 76.3 };

  const unread: Advisory = {
    kind: 'unread_messages',
    sender: EUI,
    reason: 'the payload is not JSON',
    isReadInPart: false,
    others: 0,
  };

  it.each<[string, Advisory]>([
    [
      `Its readings come from the device ${EUI}, at 10 and 30 cm; 2 readings that it had already sent were stored.`,
      { kind: 'device_assigned', device: EUI, depths: [10, 30], earlierReadings: 2 },
    ],
    [
      `Its readings come from the device ${EUI}.`,
      { kind: 'device_assigned', device: EUI, depths: [], earlierReadings: 0 },
    ],
    [
      '1 earlier reading does not count here: the device was assigned before, or measured elsewhere then. It also sends what no sensor there measures, which is not stored: temperature at 30 cm, tension without depth.',
      {
        kind: 'device_readings_left_out',
        count: 1,
        withoutSensor: ['temperature at 30 cm', 'tension without depth'],
      },
    ],
    [`${TAKEN_BACK}: 5 readings (today 11:00 to 12:00). They wait until it is assigned.`, back],
    [
      `${TAKEN_BACK}: 1 reading (today 11:00 to 12:00). It counts where it measured before, with its next message.`,
      { ...back, count: 1, waitingCount: 1, isAssigned: true },
    ],
    [
      `${TAKEN_BACK}: 5 readings (today 11:00 to 12:00). The newest 2 of them wait until it is assigned.`,
      { ...back, waitingCount: 2 },
    ],
    [
      'What was stored for Oak since the assignment stays (today 11:00 to 12:00), because others may have sent it too: to replace it, import the right readings of that time.',
      { kind: 'device_readings_stay', module: 'Oak', from: FARM_NOW - HOUR, to: FARM_NOW },
    ],
    [`Device ${EUI} last sent today 11:00.`, status],
    [
      `Device ${EUI} last sent today 11:00, battery 87 %, signal -97 dBm (SNR 7.5 dB).`,
      { ...status, batteryPercent: 87, batteryV: 3.6, rssi: -97, snr: 7.5 },
    ],
    [
      `Device ${EUI} last sent today 11:00, battery 3.625 V, signal -97 dBm.`,
      { ...status, batteryV: 3.625, rssi: -97 },
    ],
    [
      `A device that is not assigned sends: ${EUI}, moisture 24 %, air humidity 60 %, temperature 18.5 °C, tension 30 kPa, rain 2 mm, wind 3 m/s, radiation 250 W/m2, leaf wetness 1, "soil 1" 7. Assign it to a probe.`,
      { kind: 'unassigned_devices', devices: [{ device: EUI, newest }], others: 0 },
    ],
    [
      `Devices that are not assigned send: ${EUI}; one; and 2 more. Assign each to a probe.`,
      {
        kind: 'unassigned_devices',
        devices: [EUI, 'one'].map((device) => ({ device, newest: [] })),
        others: 2,
      },
    ],
    [`A message of ${EUI} gave nothing: the payload is not JSON.`, unread],
    [
      `A message of ${EUI} was not read in full: a value was refused: no time.`,
      { ...unread, reason: 'a value was refused: no time', isReadInPart: true },
    ],
    [
      `Messages of 3 senders were not read, or not in full, such as one of ${EUI}: the payload is not JSON.`,
      { ...unread, others: 2 },
    ],
    [
      '1 message that is listed was read in part.',
      { kind: 'messages_read_in_part', positions: [4] },
    ],
    [
      '2 messages that are listed were read in part.',
      { kind: 'messages_read_in_part', positions: [0, 4] },
    ],
    [
      'Doubtful temperatures, warmer than any soil: 76.3 °C at 30 cm of Oak, 76.3 °C in the air of Oak and 2 more. Check whether the sensor sends °F, or is broken.',
      { kind: 'doubtful_temperatures', sensors: [warm, { ...warm, depth: null }], others: 2 },
    ],
    ['It never sent a reading.', { kind: 'last_reading', at: null }],
    ['Its newest reading is from today 11:00.', { kind: 'last_reading', at: FARM_NOW - HOUR }],
  ])('is %j', (sentence, advisory) => expect(renderText(adviceOf(advisory))).toBe(sentence));

  it('leads to the calls that assign and list devices', () => {
    const unassigned: Advisory = {
      kind: 'unassigned_devices',
      devices: [{ device: EUI, newest: [] }],
      others: 0,
    };
    expect(renderAnswer(adviceOf(unassigned)).next).toEqual([
      'assign_device(device, module, depths or fields)',
    ]);
    expect(renderAnswer(adviceOf(unread)).next).toEqual(['list_devices']);
  });

  it('has temperatures, rain and depths in US units, and names as they are', () => {
    expect(
      renderText(adviceOf({ kind: 'doubtful_temperatures', sensors: [warm], others: 0 }), 'us'),
    ).toContain('169.3 °F (76.3 °C) at 12 in (30 cm) of Oak.');
    const devices = [{ device: 'Row 2 in', newest: [{ type: 'rain', value: 2 }] }];
    expect(
      renderText(adviceOf({ kind: 'unassigned_devices', devices, others: 0 }), 'us'),
    ).toContain('sends: Row 2 in, rain 0.079 in (2 mm).');
  });
});
