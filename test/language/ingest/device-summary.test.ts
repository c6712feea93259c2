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

  const READ_IN_PART: Advisory = { kind: 'messages_read_in_part', positions: [1] };

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
      `No device has given readings yet. A message of "${EUI}" gave nothing (today 11:00 (Europe/Paris)): the payload is not JSON. A message of "${EUI}" was not read in full (today 11:00 (Europe/Paris)): a value was refused: no time.`,
      [],
      [unread, { ...unread, reason: 'a value was refused: no time' }],
      [],
    ],
  ])('is %j', (summary, data, messages, next) =>
    expect(renderAnswer(summarizeDevices({ data, unread: messages }, [READ_IN_PART]))).toEqual({
      summary,
      next,
    }),
  );

  it('has depths in inches, and values as they were sent', () =>
    expect(
      renderText(
        summarizeDevices(
          { data: [device({ newest: [reading('humidity', 24, 30)] })], unread: [] },
          [],
        ),
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
