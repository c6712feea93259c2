import { describe, expect, it } from 'vitest';
import {
  summarizeAssignedDevice,
  summarizeDevices,
} from '../../../src/language/ingest/device-summary.ts';
import type { Advisory } from '../../../src/schema/advisory.ts';
import type {
  AssignedDevice,
  ListedDevice,
  ListedUnread,
} from '../../../src/schema/ingest/device.ts';
import { FARM_NOW, HOUR, iso } from '../../farm.ts';
import { adviceOf } from '../context.ts';
import { renderAnswer, renderText } from '../render-text.ts';

const EUI = 'A84041FFFF181F0D';

describe('the list of devices', () => {
  const device = (changes: Partial<ListedDevice>): ListedDevice =>
    ({
      device: EUI,
      moduleId: null,
      module: null,
      storedUnassigned: 2,
      newest: [],
      ...changes,
    }) as ListedDevice;
  const reading = (type: string, value: number, depth: number | null = null) => ({
    type,
    depth,
    value,
  });
  const unread: ListedUnread = {
    sender: EUI,
    via: null,
    receivedAt: iso(FARM_NOW - HOUR),
    reason: 'the payload is not JSON',
    payload: null,
  };

  it.each<[string, ListedDevice[], ListedUnread[], string[]]>([
    ['No device has given readings yet.', [], [], []],
    [
      `Not assigned to a probe: "${EUI}" (2 readings stored; newest humidity 24 at 30 cm, temperature 19.5). Assigned: "one" (Oak).`,
      [
        device({ newest: [reading('humidity', 24, 30), reading('temperature', 19.5)] }),
        device({ device: 'one', moduleId: 1, module: 'Oak' }),
      ],
      [],
      [`assign_device(device: ${EUI}, module, depths)`],
    ],
    [
      `Not assigned to a probe: "${EUI}" (2 readings stored; newest "soil_moist" 24.3); "b"; "c"; "d".`,
      [
        device({ newest: [reading('field:soil_moist', 24.3)] }),
        ...['b', 'c', 'd'].map((name) => device({ device: name })),
      ],
      [],
      [
        `assign_device(device: ${EUI}, module, fields: soil_moist = moisture DEPTH cm %)`,
        'assign_device(device: b, module, depths)',
        'assign_device(device: c, module, depths)',
      ],
    ],
    [
      `No device has given readings yet. A message of "${EUI}" gave nothing (today 11:00 (Europe/Paris)): "the payload is not JSON". A message of "${EUI}" was not read in full (today 11:00 (Europe/Paris)): "a value was refused: no time".`,
      [],
      [
        { ...unread, reason: '"the payload is not JSON"' },
        { ...unread, reason: 'a value was refused: no time' },
      ],
      [],
    ],
  ])('is %j', (summary, data, messages, next) =>
    expect(renderAnswer(summarizeDevices({ data, unread: messages }))).toEqual({ summary, next }),
  );

  it('has depths in inches, and values as they were sent', () =>
    expect(
      renderText(
        summarizeDevices({ data: [device({ newest: [reading('humidity', 24, 30)] })], unread: [] }),
        'us',
      ),
    ).toContain('newest humidity 24 at 12 in [30 cm])'));
});

describe('an assigned device', () => {
  const ASSIGNED: AssignedDevice = {
    device: EUI,
    moduleId: 1,
    module: 'Oak',
    depths: [10, 30],
    fields: [],
    earlierReadings: 0,
  };

  it.each<[string, Partial<AssignedDevice>]>([
    [
      `The readings of "Oak" come from "${EUI}" now, at 10 and 30 cm. Nothing that it sent was waiting.`,
      {},
    ],
    [
      `The readings of "Oak" come from "${EUI}" now. 1 reading that it had already sent was stored. Its fields: "soil_moist = moisture 30 cm %".`,
      { depths: [], earlierReadings: 1, fields: ['soil_moist = moisture 30 cm %'] },
    ],
  ])('is %j', (sentence, changes) =>
    expect(renderText(summarizeAssignedDevice({ ...ASSIGNED, ...changes }))).toBe(sentence),
  );
});

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
    [
      `A message of ${EUI} gave nothing: the message has no field with a value.`,
      {
        kind: 'unread_messages',
        sender: EUI,
        reason: 'the message has no field with a value',
        others: 0,
      },
    ],
    [
      `Messages of 3 senders were not read, or not in full, such as one of ${EUI}: the payload is not JSON.`,
      { kind: 'unread_messages', sender: EUI, reason: 'the payload is not JSON', others: 2 },
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
    expect(
      renderAnswer(adviceOf({ kind: 'unread_messages', sender: EUI, reason: 'empty', others: 0 }))
        .next,
    ).toEqual(['list_devices']);
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
